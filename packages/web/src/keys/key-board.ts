// The actions that can be performed now: components add them while they are shown, and the newest one wins.
import { ACTIONS, type Action, type ActionName } from './actions.ts';
import { isSingleKey, readPress } from './key-map.ts';

type Perform = () => void;

export type KeyBoard = {
	/** Returns the function that removes it. */
	add(action: ActionName, perform: Perform): () => void;
	/** Those that can be performed now. */
	available(): ReadonlySet<ActionName>;
	/** False if it cannot be performed now. */
	perform(action: ActionName): boolean;
	/** Handles the keys of a document. Returns the function that stops it. */
	listen(target: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void;
};

/** `usesSingleKeys`: whether keys without ⌘ or Ctrl do anything. */
export function createKeyBoard({ usesSingleKeys }: { usesSingleKeys: () => boolean }): KeyBoard {
	const added: { action: ActionName; perform: Perform }[] = [];
	let before = '';

	function perform(action: ActionName): boolean {
		const found = added.findLast((one) => one.action === action);
		found?.perform();
		return found !== undefined;
	}

	function press(event: KeyboardEvent): void {
		if (event.defaultPrevented || event.isComposing) return;
		if (isSingleKey(event) && (isTyping(event.target) || !usesSingleKeys())) return;
		const read = readPress(before, event);
		before = read.before;
		// Enter and Space belong to the button or link that has the focus.
		if ((event.key === 'Enter' || event.key === ' ') && isSingleKey(event) && isPressable(event.target)) return;
		const newest = added.findLast(({ action }) => read.actions.includes(action));
		if (!newest) return;
		event.preventDefault();
		if (!event.repeat || repeats(newest.action)) newest.perform();
	}

	return {
		add(action, run) {
			const entry = { action, perform: run };
			added.push(entry);
			return () => void added.splice(added.indexOf(entry), 1);
		},
		available: () => new Set(added.map(({ action }) => action)),
		perform,
		listen(target) {
			target.addEventListener('keydown', press);
			return () => target.removeEventListener('keydown', press);
		},
	};
}

function repeats(name: ActionName): boolean {
	const action: Action = ACTIONS[name];
	return action.repeats === true;
}

function isTyping(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function isPressable(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && /^(?:BUTTON|A|SUMMARY)$/.test(target.tagName);
}
