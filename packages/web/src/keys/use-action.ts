// An action that a component offers while it is shown: `useAction('next', moveDown)`.
import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import type { ActionName } from './actions.ts';
import type { KeyBoard } from './key-board.ts';

const KeyBoardContext = createContext<KeyBoard | null>(null);
export const KeyBoardProvider = KeyBoardContext.Provider;

export function useKeyBoard(): KeyBoard {
	const board = useContext(KeyBoardContext);
	if (!board) throw new Error('no keyboard: render inside KeyBoardProvider');
	return board;
}

/** `isOn`: whether it can be performed now. */
export function useAction(action: ActionName, perform: () => void, isOn = true): void {
	const board = useKeyBoard();
	const latest = useRef(perform);
	latest.current = perform;
	// Before the next key can be pressed.
	useLayoutEffect(() => (isOn ? board.add(action, () => latest.current()) : undefined), [board, action, isOn]);
}
