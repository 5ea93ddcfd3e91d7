// The search line below the feed: input, number of matches, notes.
import type { Binding } from '../keys/keymap.ts';
import type { Room } from '../pane.ts';
import { EDITING, EMPTY_FIELD, edit, insert, type TextField } from '../parts/text-field.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';

export type SearchLine = {
	readonly field: TextField;
	readonly typing: boolean;
	readonly note: string;
	/** Where a search stopped at the limit of one key press, and its direction. */
	readonly rest?: { readonly from: number; readonly step: 1 | -1 };
};

export const EMPTY_SEARCH: SearchLine = { field: EMPTY_FIELD, typing: true, note: '' };

export const TYPING_KEYS: readonly Binding[] = [
	{ keys: ['enter'], action: 'search-go', help: 'search upwards from here', hint: true },
	{ keys: ['esc'], action: 'search-leave', help: 'leave the search', hint: true },
	...EDITING,
];

export const MATCH_KEYS: readonly Binding[] = [
	{ keys: ['/'], action: 'search', help: 'search this feed', hint: true },
	{ keys: ['n'], action: 'match-older', help: 'next match, upwards' },
	{ keys: ['N'], action: 'match-newer', help: 'previous match, downwards' },
];

export const LEAVE_KEY: Binding = { keys: ['esc'], action: 'search-leave', help: 'leave the search', hint: true };

export function typeSearch(line: SearchLine, text: string): SearchLine {
	return { ...line, field: insert(line.field, text.replaceAll(/[\r\n]+/g, ' ')) };
}

export function editSearch(line: SearchLine, action: string): SearchLine | null {
	const field = edit(line.field, action);
	return field && { ...line, field };
}

/** Keeps the end of the input visible. `count`: position among the matches. */
export function searchRow(line: SearchLine, { width, styles }: Room, count = ''): { row: Row; column?: number } {
	const { field, typing, note } = line;
	if (!typing) {
		return { row: row(span(` /${field.text}`, 'accent'), span(count && `  ${count}`), span(note && `  ${note}`, 'faint')) };
	}
	const before = field.text.slice(0, field.cursor);
	const room = Math.max(1, width - 4);
	const start = rowWidth(row(before)) < room ? 0 : Math.max(0, field.cursor - Math.floor(room / 2));
	const left = start === 0 ? ' /' : ` ${styles.glyphs.more}`;
	const shown = row(span(left, 'accent'), field.text.slice(start));
	return { row: shown, column: Math.min(width - 1, rowWidth(row(left, field.text.slice(start, field.cursor)))) };
}
