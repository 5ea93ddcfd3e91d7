// All keys, by group, and the switch for keys without ⌘ or Ctrl.
import { useState } from 'react';
import { ACTIONS, type Action } from '../keys/actions.ts';
import { setSingleKeys, usesSingleKeys } from '../keys/single-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import styles from './app.module.css';
import { Keys } from './keys.tsx';

const GROUPS = Map.groupBy(
	Object.entries<Action>(ACTIONS).filter(([, { keys }]) => keys.length > 0),
	([, { group }]) => group,
);

export function Help({ onClose }: { onClose: () => void }) {
	return (
		<Dialog title="Keys" onClose={onClose}>
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

function SingleKeys() {
	const [isOn, setOn] = useState(usesSingleKeys);
	return (
		<label className={styles.switch}>
			<input
				type="checkbox"
				checked={isOn}
				onChange={({ target }) => {
					setSingleKeys(target.checked);
					setOn(target.checked);
				}}
			/>
			<span>Use keys without ⌘ or Ctrl</span>
		</label>
	);
}
