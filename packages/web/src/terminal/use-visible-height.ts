// The height of an element that reaches to the end of what is visible: the keyboard of a phone does not cover it.
import { type RefObject, useEffect } from 'react';

export function useVisibleHeight(element: RefObject<HTMLElement | null>): void {
	useEffect(() => {
		const { current } = element;
		if (!current) return undefined;
		const visible = window.visualViewport;
		function set(): void {
			if (!current) return;
			const end = (visible?.offsetTop ?? 0) + (visible?.height ?? innerHeight);
			const { top } = current.getBoundingClientRect();
			current.style.height = `${Math.max(0, end - Math.max(0, top))}px`;
			current.style.setProperty('--visible-top', `${visible?.offsetTop ?? 0}px`);
		}
		const observer = new ResizeObserver(set);
		observer.observe(document.body);
		if (current.parentElement) observer.observe(current.parentElement);
		const stop = new AbortController();
		for (const event of ['resize', 'scroll']) visible?.addEventListener(event, set, { signal: stop.signal });
		set();
		return () => {
			observer.disconnect();
			stop.abort();
		};
	}, [element]);
}
