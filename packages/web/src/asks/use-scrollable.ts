// A box that scrolls can be focused, so that keys scroll it; one that shows everything is no stop for the Tab key.
import { type RefObject, useEffect } from 'react';

export function useScrollable(box: RefObject<HTMLElement | null>): void {
	useEffect(() => {
		const element = box.current;
		if (!element) return undefined;
		const observer = new ResizeObserver(() => {
			if (element.scrollHeight > element.clientHeight) element.tabIndex = 0;
			else element.removeAttribute('tabindex');
		});
		observer.observe(element);
		for (const child of element.children) observer.observe(child);
		return () => observer.disconnect();
	}, [box]);
}
