// The events of a transcript equal those that the agent would have reported live.

import { readFileSync } from 'node:fs';
import { mapEvent } from '@roost/core/feed/mapper';
import { createFeedState } from '@roost/core/feed/state';
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { sessionId } from '@roost/protocol/ids';
import { pastAnswer, pastCall, pastMessage, pastPrompt, pastResult } from '@roost/testkit/rigs/agents/past-claude';
import { goldenText, toGoldenText } from '@roost/testkit/rigs/record/feed-golden';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTranslation, type TranscriptItem } from './read-past-events.ts';

const SAMPLE = readFileSync(new URL('./samples/session.jsonl', import.meta.url), 'utf8').split('\n');
const GOLDEN = new URL('./samples/session.feed.txt', import.meta.url).pathname;

describe('feed from a transcript', () => {
	it('matches the golden feed of a recorded session', () => {
		const golden = toGoldenText(feedOf(SAMPLE));
		expect(golden).toBe(goldenText(GOLDEN, golden));
	});

	it('links a call to its result, and reports a denied call as a failure', () => {
		const feed = feedOf([
			pastPrompt('go'),
			pastCall('Bash', { command: 'ls' }, { id: 't1' }),
			pastResult('t1', 'a b', { own: { stdout: 'a b' } }),
			pastCall('Write', { file_path: '/x' }, { id: 't2' }),
			pastResult('t2', 'The user does not want this.', { failed: true }),
		]);
		const [pre, post, second, failure] = feed.filter(({ kind }) => kind.startsWith('tool.'));
		expect(pre).toMatchObject({ kind: 'tool.pre', data: { tool_name: 'Bash', tool_use_id: 't1' } });
		expect(post).toMatchObject({
			kind: 'tool.post',
			data: { tool_response: { stdout: 'a b' } },
			cause: { parent_event_id: pre?.event_id },
		});
		expect(failure).toMatchObject({
			kind: 'tool.failure',
			data: { error: 'The user does not want this.' },
			cause: { parent_event_id: second?.event_id },
		});
	});

	it('ends a run when the agent finishes, fails or is interrupted', () => {
		const failed = { ...pastAnswer('API Error: 529'), isApiErrorMessage: true };
		const feed = feedOf([
			...[pastPrompt('one'), pastAnswer('Done.', { at: 9_000 })],
			...[pastPrompt('two', { at: 10_000 }), failed],
			...[pastPrompt('three', { at: 11_000 }), pastPrompt('[Request interrupted by user]', { at: 12_000 })],
			pastPrompt('four', { at: 13_000 }),
		]);
		const ends = feed.filter((event) => event.kind === 'run.end');
		expect(ends.map(({ data, ts }) => [data.status, ts])).toEqual([
			['completed', 9_000],
			['failed', 10_000],
			['aborted', 12_000],
		]);
		expect(feed.filter(({ kind }) => kind === 'user.prompt')).toHaveLength(4);
	});

	it('merges a message split over several lines and ends its run once', () => {
		const part = (content: object) => pastMessage([content], { at: 2_000, id: 'm1', stop: 'end_turn' });
		const feed = feedOf([pastPrompt('go'), part({ type: 'thinking', thinking: 'hm' }), part({ type: 'text', text: 'Done.' })]);
		expect(feed.filter(({ kind }) => kind === 'agent.message')).toMatchObject([{ data: { text: 'Done.' } }]);
		expect(feed.filter(({ kind }) => kind === 'run.end')).toHaveLength(1);
	});

	it('continues the run if the agent continues after a final message', () => {
		const feed = feedOf([
			pastPrompt('go'),
			pastAnswer('Done.'),
			pastCall('Bash', {}, { id: 't1' }),
			pastResult('t1', 'ok'),
			pastAnswer('Really.'),
		]);
		expect(feed.filter(({ kind }) => kind === 'run.start')).toHaveLength(1);
		expect(feed.filter(({ kind }) => kind === 'run.end')).toHaveLength(1);
	});

	it('reports a compaction and does not treat its summary as a prompt', () => {
		const boundary = { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'manual' } };
		const feed = feedOf([pastPrompt('go'), boundary, { ...pastPrompt('So far: …'), isCompactSummary: true }]);
		expect(feed.map(({ kind }) => kind)).toEqual(['session.start', 'run.start', 'user.prompt', 'compact.post']);
	});

	it('attributes subagent lines in the main transcript to the subagent', () => {
		const aside = { ...pastCall('Grep', {}, { id: 't1' }), isSidechain: true, agentId: 'a1' };
		const feed = feedOf([pastPrompt('go'), { ...pastPrompt('look there'), isSidechain: true, agentId: 'a1' }, aside]);
		expect(feed.at(-1)).toMatchObject({ kind: 'tool.pre', actor_id: 'subagent:a1' });
		expect(feed.filter(({ kind }) => kind === 'user.prompt')).toHaveLength(1);
	});

	it('keeps a result without a call and reports unreadable lines', () => {
		const feed = feedOf(['{"half":', pastResult('t9', 'lost'), null]);
		expect(feed.map(({ kind }) => kind)).toEqual(['session.start', 'runtime.error', 'unknown.hook', 'runtime.error']);
		expect(feed[1]).toMatchObject({ data: { message: 'Line 1 of the transcript cannot be read; it is left out here.' } });
	});

	it('contains only valid events and never throws on arbitrary lines', () => {
		const line = fc.oneof(
			fc.string(),
			fc.json(),
			fc.constantFrom(...SAMPLE),
			fc.constantFrom(...SAMPLE).map((text) => text.slice(0, text.length / 2)),
			fc
				.record({
					type: fc.constantFrom('user', 'assistant', 'system'),
					message: fc.jsonValue(),
					timestamp: fc.jsonValue(),
					cwd: fc.jsonValue(),
				})
				.map((value) => JSON.stringify(value)),
		);
		fc.assert(
			fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
				for (const event of feedOf(lines)) expect(feedEvent.safeParse(event).error).toBeUndefined();
			}),
			{ numRuns: process.env.ROOST_SOAK ? 1_000 : 60 },
		);
	});
});

function feedOf(lines: readonly (string | object | null)[]): FeedEvent[] {
	const translation = createTranslation({ nativeId: 'native-1', path: '/transcripts/native-1.jsonl' });
	const state = createFeedState(sessionId.parse('s1'));
	const items: TranscriptItem[] = [
		...lines.flatMap((line) => translation.translate(typeof line === 'object' && line !== null ? JSON.stringify(line) : line)),
		...translation.end(),
	];
	return items.flatMap((item) => (item.type === 'event' ? mapEvent(state, item.event) : []));
}
