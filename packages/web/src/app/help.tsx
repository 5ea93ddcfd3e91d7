// All keys, by group, and the switch for keys without ⌘ or Ctrl.
import { useState } from 'react';
import { ACTIONS, type Action } from '../keys/actions.ts';
import { useAction } from '../keys/use-action.ts';
import { Dialog } from '../parts/dialog.tsx';
import styles from './app.module.css';

const GROUPS = Map.groupBy(
	Object.entries<Action>(ACTIONS).filter(([, { keys }]) => keys.length > 0),
	([, { group }]) => group,
);

/** Read by the keyboard at each press. */
export const SINGLE_KEYS = 'single-keys';

export function Help() {
	const [isOpen, setOpen] = useState(false);
	useAction('help', () => setOpen(true));
	if (!isOpen) return null;
	return (
		<Dialog title="Keys" onClose={() => setOpen(false)}>
			<SingleKeys />
			<div className={styles.keys}>
				{[...GROUPS].map(([group, actions]) => (
					<section key={group} aria-label={group}>
						<h3>{group}</h3>
						<dl>
							{actions.map(([name, { keys, words }]) => (
								<div key={name}>
									<dt>{words}</dt>
									<dd>
										<Keys keys={keys} />
									</dd>
								</div>
							))}
						</dl>
					</section>
				))}
			</div>
		</Dialog>
	);
}

export function Keys({ keys }: { keys: readonly string[] }) {
	return keys.map((one) => <kbd key={one}>{toWords(one)}</kbd>);
}

const SIGNS: readonly (readonly [string, string])[] = [
	['Mod+', /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl '],
	['ArrowDown', '↓'],
	['ArrowUp', '↑'],
	['Escape', 'Esc'],
];

function toWords(keys: string): string {
	return SIGNS.reduce((text, [name, sign]) => text.replace(name, sign), keys);
}

function SingleKeys() {
	const [isOn, setOn] = useState(() => localStorage.getItem(SINGLE_KEYS) !== 'off');
	return (
		<label className={styles.switch}>
			<input
				type="checkbox"
				checked={isOn}
				onChange={({ target }) => {
					localStorage.setItem(SINGLE_KEYS, target.checked ? 'on' : 'off');
					setOn(target.checked);
				}}
			/>
			<span>Use keys without ⌘ or Ctrl</span>
		</label>
	);
}
