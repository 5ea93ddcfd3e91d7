// The keyboard in a list of cards: the focus moves from card to card, and only by a key of the user.
import type { RefObject } from 'react';
import { useAction } from '../keys/use-action.ts';

export function useCardKeys(list: RefObject<HTMLElement | null>, isOn: boolean): void {
	const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-ask]') ?? [])];
	const current = () => cards().findIndex((card) => card.contains(document.activeElement));
	const focus = (at: number) => cards().at(at)?.focus();
	useAction('next', () => focus(Math.min(current() + 1, cards().length - 1)), isOn);
	useAction('previous', () => focus(Math.max(current() - 1, 0)), isOn);
	// Without a focused card it is not clear which one is meant: the first one is shown, and takes the next press.
	const focusFirst = () => current() < 0 && focus(0);
	useAction('allow', focusFirst, isOn);
	useAction('deny', focusFirst, isOn);
	useAction('denyWithMessage', focusFirst, isOn);
	useAction('edit', focusFirst, isOn);
}
