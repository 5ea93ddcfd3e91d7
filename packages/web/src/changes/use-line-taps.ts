// On touch, a tap anywhere on a line of a diff presses its number. Lines of 44 px would show too little code, so a tap may hit
// the line beside: it opens a comment without the keyboard, and the next tap on a line moves the empty comment there.
import { type RefObject, useEffect } from 'react';
import { isTouch } from '../device/is-touch.ts';

/** `line`: a selector for a line, which has one button. */
export function useLineTaps(place: RefObject<HTMLElement | null>, line: string): void {
	useEffect(() => {
		const box = place.current;
		function tap({ target }: MouseEvent): void {
			if (!isTouch() || !(target instanceof Element) || target.closest('button')) return;
			// A tap that ends a selection of code.
			if (getSelection()?.isCollapsed === false) return;
			target.closest(line)?.querySelector('button')?.click();
		}
		box?.addEventListener('click', tap);
		return () => box?.removeEventListener('click', tap);
	}, [place, line]);
}
