// The part of a long list that is on screen. Rows keep their place under the eye while others are added or change their height.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { createHeights, type Heights } from './heights.ts';

export type ListWindow = {
	readonly scroller: RefObject<HTMLDivElement | null>;
	readonly rows: RefObject<HTMLDivElement | null>;
	/** The rows to render, from `from` to `to`, without `to`. */
	readonly from: number;
	readonly to: number;
	/** The distance of the first rendered row from the beginning, and the height of the whole list. */
	readonly top: number;
	readonly height: number;
	/** Whether new rows are scrolled to. */
	readonly isFollowing: boolean;
	/** Rows that were added since the user scrolled away from the end. */
	readonly unseen: number;
	onScroll(): void;
	follow(): void;
	/** Scrolls until this row is on screen. */
	reveal(place: number): void;
};

type Options = {
	readonly first: number;
	readonly end: number;
	readonly estimate: number;
	/** Identifies the row that stays under the eye. */
	keyAt(place: number): string | undefined;
	placeOf(key: string): number | undefined;
};

/** Rendered beyond the edges, so that no frame is blank while scrolling. */
const MARGIN_PX = 280;
const AT_END_PX = 8;

export function useWindow({ first, end, estimate, keyAt, placeOf }: Options): ListWindow {
	const heights = useHeights(estimate);
	const scroller = useRef<HTMLDivElement>(null);
	const rows = useRef<HTMLDivElement>(null);
	const anchor = useRef<{ key: string; below: number } | undefined>(undefined);
	const [view, setView] = useState({ top: 0, height: 0, measured: 0 });
	const [left, setLeft] = useState<number | undefined>(undefined);
	heights.grow(first, end);
	const isFollowing = left === undefined;
	const range = rangeOf(heights, { first, end, view, isFollowing });

	const remember = useCallback(() => {
		const top = scroller.current?.scrollTop ?? 0;
		const place = heights.at(top);
		const key = keyAt(place);
		anchor.current = key === undefined ? undefined : { key, below: top - heights.top(place) };
	}, [heights, keyAt]);

	const remeasure = useCallback(() => {
		const box = scroller.current;
		if (box) setView((before) => ({ top: box.scrollTop, height: box.clientHeight, measured: before.measured + 1 }));
	}, []);

	useLayoutEffect(() => {
		const box = scroller.current;
		if (!box) return;
		const hasChanged = measureRows(rows.current, heights, range.from);
		if (isFollowing) box.scrollTop = box.scrollHeight;
		else restore(box, anchor.current, heights, placeOf);
		const hasScrolled = !isFollowing && box.scrollTop !== view.top;
		if (hasChanged || hasScrolled || box.clientHeight !== view.height) remeasure();
	});

	useLayoutEffect(() => observeSizes(scroller.current, rows.current, remeasure), [remeasure]);

	function onScroll(): void {
		const box = scroller.current;
		if (!box) return;
		const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= AT_END_PX;
		remember();
		// New rows were scrolled to: they are rendered already.
		if (isAtEnd && isFollowing) return;
		setLeft((before) => (isAtEnd ? undefined : (before ?? end)));
		remeasure();
	}

	return {
		scroller,
		rows,
		...range,
		top: heights.top(range.from),
		height: heights.total,
		isFollowing,
		unseen: left === undefined ? 0 : Math.max(0, end - left),
		onScroll,
		follow() {
			setLeft(undefined);
			remeasure();
		},
		reveal(place) {
			const box = scroller.current;
			if (!box) return;
			const top = heights.top(place);
			const bottom = heights.top(place + 1);
			if (top < box.scrollTop) box.scrollTop = top;
			else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = Math.min(top, bottom - box.clientHeight);
			else return;
			onScroll();
		},
	};
}

function useHeights(estimate: number): Heights {
	const [heights] = useState(() => createHeights(estimate));
	return heights;
}

type Shown = { first: number; end: number; view: { top: number; height: number }; isFollowing: boolean };

function rangeOf(heights: Heights, { first, end, view, isFollowing }: Shown): { from: number; to: number } {
	if (first === end) return { from: end, to: end };
	const top = isFollowing ? Math.max(0, heights.total - view.height) : view.top;
	const from = Math.max(first, heights.at(top - MARGIN_PX));
	return { from, to: Math.min(end, heights.at(top + view.height + MARGIN_PX) + 1) };
}

function measureRows(rows: HTMLElement | null, heights: Heights, from: number): boolean {
	let hasChanged = false;
	for (const [at, row] of [...(rows?.children ?? [])].entries()) {
		hasChanged = heights.set(from + at, row.getBoundingClientRect().height) || hasChanged;
	}
	return hasChanged;
}

function restore(
	box: HTMLElement,
	anchor: { key: string; below: number } | undefined,
	heights: Heights,
	placeOf: (key: string) => number | undefined,
): void {
	const place = anchor && placeOf(anchor.key);
	if (anchor === undefined || place === undefined) return;
	const top = heights.top(place) + anchor.below;
	if (Math.abs(top - box.scrollTop) >= 1) box.scrollTop = top;
}

/** The window was resized, or a row changed its height by itself. */
function observeSizes(box: Element | null, rows: Element | null, onResize: () => void): (() => void) | undefined {
	if (!box || !rows) return undefined;
	const observer = new ResizeObserver(onResize);
	observer.observe(box);
	observer.observe(rows);
	return () => observer.disconnect();
}
