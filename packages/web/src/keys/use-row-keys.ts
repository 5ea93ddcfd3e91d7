// `j` and `k` move the focus through the rows of a list; Enter then belongs to the row itself.
import type { RefObject } from 'react';
import { useAction } from './use-action.ts';

/** `rows`: a selector for what takes the focus in each row. */
export function useRowKeys(list: RefObject<HTMLElement | null>, rows: string): void {
	function move(step: 1 | -1): void {
		const stops = [...(list.current?.querySelectorAll<HTMLElement>(rows) ?? [])];
		const at = stops.findIndex((stop) => stop.contains(document.activeElement));
		const first = step === 1 ? 0 : stops.length - 1;
		stops[at < 0 ? first : at + step]?.focus();
	}
	useAction('next', () => move(1));
	useAction('previous', () => move(-1));
}
