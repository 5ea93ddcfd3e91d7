import { sanitiseLine } from '@roost/core/display/sanitise';
import type { FeedEntry } from '@roost/core/views/feed-list';
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { everyCall } from '@roost/testkit/rigs/record/every-call';
import { everyEvent } from '@roost/testkit/rigs/record/every-event';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { type EntryStyle, entryRows } from '../feed/feed-rows.ts';
import { createLazyRows } from '../parts/lazy-rows.ts';
import { toLine } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';
import { fieldRows, jsonRows } from './renderer.ts';

/** Without colours, so that every control byte comes from the text. */
const STYLES = plainStyles();
const WIDTH = 80;
const SOAK = process.env.ROOST_SOAK === '1';
const ROUNDS = SOAK ? 1 : 23;
const PATIENCE = { timeout: SOAK ? 600_000 : 30_000 };

describe('hostile text', () => {
	const strings = hostileStrings();

	it('is tested in more than 300 variants', () => {
		expect(new Set(strings).size).toBeGreaterThan(300);
	});

	it('never shows control bytes or breaks the line width in any kind of event', PATIENCE, () => {
		for (const [index, text] of strings.entries()) {
			const kinds = everyEvent(text, 1).filter((_, at) => (at + index) % ROUNDS === 0);
			for (const event of kinds) expectHarmless({ event }, text);
		}
	});

	it('never shows control bytes or breaks the line width in tool inputs and results', PATIENCE, () => {
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
	const style: EntryStyle = { open: true, width: WIDTH, styles: STYLES, depth: 1, name: text };
	const whole = [fieldRows(entry.event.data, WIDTH), jsonRows(entry.event, WIDTH)];
	const rows = [
		...entryRows(entry, style, false),
		...entryRows({ ...entry }, { ...style, name: undefined }, true),
		...whole.flatMap((all) => createLazyRows(all).take(0, 40)),
	];
	const lines = rows.map((row) => toLine(row, WIDTH, STYLES));
	const harmful = lines.filter((line) => sanitiseLine(line) !== line || widthOf(line) !== WIDTH);
	expect(harmful, `${entry.event.kind}: ${JSON.stringify(text.slice(0, 80))}`).toEqual([]);
}
