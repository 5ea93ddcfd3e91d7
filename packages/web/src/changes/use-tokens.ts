// The tokens of some rows of a diff, once they are highlighted; until then, and if that fails, the rows are plain.
import { sanitiseBlock } from '@roost/core/display/sanitise';
import type { DiffRow } from '@roost/protocol/api/changes';
import { useEffect, useState } from 'react';
import type { Token } from './highlight-messages.ts';
import { highlight } from './highlighter.ts';
import { languageOf } from './language-of.ts';
import type { Language } from './languages.ts';

export type RowTokens = ReadonlyMap<DiffRow, readonly Token[]>;

const NONE: RowTokens = new Map();
const MOST_CHARACTERS = 100_000;

/** The text of a line as it is shown: a carriage return matters only where a line changed. */
export function shownText({ type, text }: DiffRow): string {
	return sanitiseBlock(type === 'context' ? text.replace(/\r$/, '') : text);
}

/** `rows`: the same array while they are the same rows. */
export function useTokens(path: string, rows: readonly (DiffRow | undefined)[]): RowTokens {
	const [tokens, setTokens] = useState(NONE);
	useEffect(() => {
		const language = languageOf(path);
		if (language === undefined) return undefined;
		let isCurrent = true;
		void readTokens(language, rows).then((read) => isCurrent && setTokens(read));
		return () => {
			isCurrent = false;
		};
	}, [path, rows]);
	return tokens;
}

/** The old and the new lines apart, because each side is code of its own. */
async function readTokens(language: Language, rows: readonly (DiffRow | undefined)[]): Promise<RowTokens> {
	const known = rows.flatMap((row) => (row && row.type !== 'hunk' ? [row] : []));
	const sides = [known.filter(({ type }) => type !== 'added'), known.filter(({ type }) => type !== 'removed')];
	const read = await Promise.all(sides.map((side) => readSide(language, side)));
	return new Map(read.flat());
}

async function readSide(language: Language, rows: readonly DiffRow[]): Promise<[DiffRow, readonly Token[]][]> {
	const lines = rows.map(shownText);
	if (lines.reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS) return [];
	const tokens = await highlight(language, lines);
	return tokens ? rows.map((row, at) => [row, tokens[at] ?? []]) : [];
}
