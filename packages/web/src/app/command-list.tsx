// ⌘K: every command that can be given now, the sessions, and a field that filters them.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import { ACTIONS, type Action, type ActionName } from '../keys/actions.ts';
import { useKeyBoard } from '../keys/use-action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { byAttention } from '../sessions/by-attention.ts';
import styles from './app.module.css';
import { Keys } from './keys.tsx';

type Entry = { readonly id: string; readonly words: string; readonly keys: readonly string[]; perform(): void };

const MOST_SHOWN = 50;
/** Without a use in this list. */
const LEFT_OUT: ReadonlySet<ActionName> = new Set(['commands', 'back', 'next', 'previous', 'open']);

export function CommandList({ onClose }: { onClose: () => void }) {
	const entries = useEntries();
	const [filter, setFilter] = useState('');
	const shown = entries.filter(({ words }) => fits(words, filter)).slice(0, MOST_SHOWN);

	function run(entry: Entry | undefined): void {
		if (!entry) return;
		onClose();
		// After the dialog has closed, and the focus is back on the page.
		queueMicrotask(entry.perform);
	}

	return (
		<Dialog title="Commands" onClose={onClose}>
			<input
				type="text"
				aria-label="Filter commands and sessions"
				placeholder="Type a command or a session"
				value={filter}
				onChange={({ target }) => setFilter(target.value)}
				onKeyDown={(event) => {
					moveFocus(event);
					if (event.key !== 'Enter') return;
					// Else the same press would also act on what opens next.
					event.preventDefault();
					run(shown[0]);
				}}
			/>
			<ul className={styles.entries} aria-label="Commands">
				{shown.map((entry, at) => (
					<li key={entry.id}>
						<button type="button" data-first={at === 0} onClick={() => run(entry)} onKeyDown={moveFocus}>
							<span>{entry.words}</span>
							<Keys keys={entry.keys} />
						</button>
					</li>
				))}
			</ul>
			{shown.length === 0 ? <p>No command or session matches.</p> : null}
		</Dialog>
	);
}

/** With the arrows from the field to the list, in it, and back. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (step === undefined) return;
	event.preventDefault();
	const stops = [...(event.currentTarget.closest('dialog')?.querySelectorAll<HTMLElement>('input, li button') ?? [])];
	stops[stops.indexOf(event.currentTarget) + step]?.focus();
}

function useEntries(): Entry[] {
	const board = useKeyBoard();
	const { sessions } = useWorld();
	const [, go] = useLocation();
	const actions = [...board.available()].filter((name) => !LEFT_OUT.has(name));
	return [
		...actions.map((name): Entry => {
			const { words, keys }: Action = ACTIONS[name];
			return { id: name, words, keys, perform: () => void board.perform(name) };
		}),
		...byAttention(sessions).map(
			({ id, title, agent }): Entry => ({
				id,
				words: sanitiseLine(`${title || id} · ${agent}`),
				keys: [],
				perform: () => go(`/s/${id}`),
			}),
		),
	];
}

/** All words of the filter, in any order. */
function fits(words: string, filter: string): boolean {
	const text = words.toLowerCase();
	return filter
		.toLowerCase()
		.split(/\s+/)
		.every((one) => text.includes(one));
}
