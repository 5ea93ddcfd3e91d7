import type { FeedEntry } from '@roost/core/views/feed-list';
import type { FeedEvent, FeedEventKind } from '@roost/protocol/feed/event';
import { feedEvent } from '@roost/protocol/feed/event';
import { everyCall } from '@roost/testkit/rigs/record/every-call';
import { everyEvent } from '@roost/testkit/rigs/record/every-event';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { type Row, rowWidth } from '../screen/row.ts';
import { bodyOf, lineOf, opensByItself, signOf } from './table.ts';

const TEXTS = [
	'a few words',
	'# Title\n\n- one\n  - two\n1. three\n> quote\n\n```ts\nconst x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n**bold** *light* `code` [x](http://y)',
	'日本語と👩‍🚀、e\u0301\u0301 und\tTabs\tim Text, '.repeat(9),
	'x'.repeat(500),
	'',
];

describe('every kind of event', () => {
	const looks = [plainStyles(), plainStyles({ ascii: true })];

	it('is covered by the test samples', () => {
		const made = new Set(everyEvent('x').map(({ kind }) => kind));
		expect(feedEvent.options.map((option): FeedEventKind => option.shape.kind.value).filter((kind) => !made.has(kind))).toEqual(
			[],
		);
	});

	it.each([40, 80, 200])('has a glyph, a line and a body that fits %d columns', (width) => {
		for (const entry of TEXTS.flatMap(entriesWith)) {
			for (const styles of looks) {
				expect(styles.glyphs[signOf(entry.event, entry).glyph]).not.toBe('');
				expect(lineOf(entry.event, { entry, styles }).length, entry.event.kind).toBeGreaterThan(0);
				expect(tooWide(bodyOf(entry.event, { entry, styles }, width) ?? [], width), entry.event.kind).toEqual([]);
			}
		}
	});

	it('is rendered in printable ASCII in ASCII mode', () => {
		const styles = plainStyles({ ascii: true });
		for (const entry of entriesWith('words')) {
			const rows = [lineOf(entry.event, { entry, styles }), ...(bodyOf(entry.event, { entry, styles }, 80) ?? [])];
			const text = rows.flat().reduce((all, part) => all + part.text, '');
			expect(text, entry.event.kind).toMatch(/^[\x20-\x7e]*$/);
		}
	});
});

describe('entry', () => {
	it.each([
		['tool.post', false],
		['tool.failure', true],
	] as const)('of a call with %s is expanded by default: %s', (kind, open) => {
		const [first] = everyCall('x').filter(({ result }) => result?.kind === kind);
		expect(opensByItself(toEntry(event(first?.call), event(first?.result)))).toBe(open);
	});

	it('is expanded by default only for messages, requests and failures', () => {
		const open = everyEvent('x', 1).filter((one) => opensByItself({ event: one }));
		expect(open.map(({ kind }) => kind).toSorted()).toEqual([
			'agent.message',
			'permission.request',
			'question.request',
			'tool.failure',
			'user.prompt',
		]);
	});
});

function entriesWith(text: string): FeedEntry[] {
	return [
		...everyEvent(text, 2).map((one) => ({ event: one })),
		...everyCall(text).map(({ call, result }) => toEntry(call, result)),
	];
}

function toEntry(call: FeedEvent, result?: FeedEvent): FeedEntry {
	return result?.kind === 'tool.post' || result?.kind === 'tool.failure' ? { event: call, result } : { event: call };
}

function event(one: FeedEvent | undefined): FeedEvent {
	if (!one) throw new Error('the samples have no such call');
	return one;
}

function tooWide(rows: Iterable<Row>, width: number): string[] {
	return [...rows].filter((row) => rowWidth(row) > width).map((row) => row.map(({ text }) => text).join(''));
}
