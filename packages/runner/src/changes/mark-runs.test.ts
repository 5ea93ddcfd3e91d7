import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionStream } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { SESSION } from '@roost/testkit/rigs/shell/changed-world';
import { describe, expect, it } from 'vitest';
import { createRunMarker } from './mark-runs.ts';

type Content = NonNullable<Parameters<typeof sampleEvent>[2]>;

const DRIVE: Content = { kind: 'session.drive', data: { mode: 'sdk', cwd: '/here' } };
const START: Content = { kind: 'run.start', data: { trigger: { type: 'user_prompt_submit' } } };
const PROMPT: Content = { kind: 'user.prompt', data: { prompt: 'do it', cwd: '/there' } };
const CALL: Content = { kind: 'tool.post', data: { tool_name: 'Edit', tool_input: {}, tool_response: {} } };

describe('marks of a session', () => {
	it('are made when it and its runs start, in the folder of that time', async () => {
		await using world = createWorld();
		world.observe(1, [DRIVE]);
		world.observe(4, [START, PROMPT]);
		world.observe(90, [DRIVE]);
		expect(world.marked).toEqual([
			{ wanted: ['start'], folder: '/here', isLate: false },
			{ wanted: ['start', 'run:R1'], folder: '/there', isLate: false },
		]);
	});

	it('are late if the agent used a tool before they were made', async () => {
		await using world = createWorld();
		world.observe(1, [START, PROMPT]);
		world.observe(3, [CALL]);
		world.observe(4, [START, CALL]);
		world.made.resolve();
		expect(await Promise.all(world.late)).toEqual([true, true]);
	});

	it('come with a note that files may have changed, at most once a second', async () => {
		await using world = createWorld();
		world.observe(1, [PROMPT]);
		expect(world.changed()).toBe(0);
		for (const offset of [2, 3, 4]) world.observe(offset, [CALL]);
		expect(world.changed()).toBe(1);
		world.timers.advance(1_000);
		expect(world.changed()).toBe(2);
		world.timers.advance(5_000);
		expect(world.changed()).toBe(2);
		world.observe(5, [CALL]);
		expect(world.changed()).toBe(3);
	});
});

function createWorld() {
	const timers = createManualTimers();
	const marked: object[] = [];
	const late: Promise<boolean>[] = [];
	const made = Promise.withResolvers<void>();
	let changed = 0;
	const marker = createRunMarker({
		async mark(_, wanted, folder, isLate) {
			marked.push({ wanted, folder, isLate: isLate() });
			late.push(made.promise.then(isLate));
		},
		changed() {
			changed += 1;
		},
		timers,
		warn(sentence) {
			throw new Error(sentence);
		},
	});
	return {
		marked,
		late,
		made,
		timers,
		changed: () => changed,
		observe(offset: number, contents: readonly Content[]) {
			const events: FeedEvent[] = contents.map((content) => sampleEvent(SESSION, 1, content));
			const entries: LogEntry[] = [{ seqNo: offset, offset, stream: sessionStream(SESSION), line: '{}' }];
			marker.observe({ sessionId: SESSION, events, entries, asks: [] });
		},
		[Symbol.asyncDispose]: () => marker[Symbol.asyncDispose](),
	};
}
