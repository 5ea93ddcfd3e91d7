// A card takes no answer right after it appeared or moved: a tap that was meant for something else must not decide.
import { LOOK_MS } from '@roost/core/answers/when-ready';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** `since`: when the card, or the form in it, appeared. */
export function useReady(since: number, card: RefObject<HTMLElement | null>): boolean {
	const movedAt = useMovedAt(card);
	const from = Math.max(since, movedAt);
	const [isReady, setReady] = useState(false);
	useLayoutEffect(() => {
		const left = from + LOOK_MS - Date.now();
		setReady(left <= 0);
		const timer = left <= 0 ? undefined : setTimeout(() => setReady(true), left);
		return () => clearTimeout(timer);
	}, [from]);
	return isReady;
}

/** When it moved on the page; scrolling does not move it. */
function useMovedAt(card: RefObject<HTMLElement | null>): number {
	const place = useRef<number>(undefined);
	const [movedAt, setMovedAt] = useState(0);

	const measure = () => {
		if (!card.current) return;
		const now = placeOf(card.current);
		if (place.current !== undefined && Math.abs(now - place.current) >= 1) setMovedAt(Date.now());
		place.current = now;
	};
	const latest = useRef(measure);
	latest.current = measure;

	// A change of the world renders every card; a change inside of one changes the height of the page.
	useLayoutEffect(() => latest.current());
	useEffect(() => {
		const observer = new ResizeObserver(() => latest.current());
		observer.observe(document.body);
		return () => observer.disconnect();
	}, []);
	return movedAt;
}

/** From the top of everything that scrolls. */
function placeOf(card: HTMLElement): number {
	let place = card.getBoundingClientRect().top;
	for (let parent = card.parentElement; parent; parent = parent.parentElement) place += parent.scrollTop;
	return place;
}
