import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { everyCall } from '@roost/testkit/rigs/every-call';
import { everyEvent } from '@roost/testkit/rigs/every-event';
import { plainLook } from '@roost/testkit/rigs/plain-look';
import { describe, expect, it } from 'vitest';
import { type EntryStyle, entryRows } from '../feed/entry-rows.ts';
import type { FeedEntry } from '../feed/feed-list.ts';
import { toLine } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';

/** Colours are left out, so every control byte that is left came from the text. */
const LOOK = plainLook();
const WIDTH = 80;
const ROUNDS = process.env.ROOST_SOAK === '1' ? 1 : 23;

describe('hostile text', () => {
	const strings = hostileStrings();

	it('is tried in more than 300 forms', () => {
		expect(new Set(strings).size).toBeGreaterThan(300);
	});

	it('shows no control byte and leaves no line, wherever an event holds text', () => {
		for (const [index, text] of strings.entries()) {
			const kinds = everyEvent(text, 1).filter((_, at) => (at + index) % ROUNDS === 0);
			for (const event of kinds) expectHarmless({ event }, text);
		}
	});

	it('shows no control byte and leaves no line, whatever a tool is given and returns', () => {
		for (const [index, text] of strings.entries()) {
			const calls = everyCall(text).filter((_, at) => (at + index) % ROUNDS === 0);
			for (const { call, result } of calls) {
				const joined = result?.kind === 'tool.post' || result?.kind === 'tool.failure' ? result : undefined;
				expectHarmless({ event: call, result: joined }, text);
			}
		}
	});
});

function expectHarmless(entry: FeedEntry, text: string): void {
	const style: EntryStyle = { open: true, width: WIDTH, look: LOOK, depth: 1, name: text };
	const lines = [...entryRows(entry, style, false), ...entryRows({ ...entry }, { ...style, name: undefined }, true)].map((row) =>
		toLine(row, WIDTH, LOOK),
	);
	const harmful = lines.filter((line) => /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u.test(line) || widthOf(line) !== WIDTH);
	expect(harmful, `${entry.event.kind}: ${JSON.stringify(text.slice(0, 80))}`).toEqual([]);
}
