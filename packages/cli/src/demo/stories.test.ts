// The stories of the demo on a real runner in this process: whatever their user says, they go on to an end that makes sense.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskRow } from '@roost/protocol/ask';
import type { Awaitable } from '@roost/protocol/contract/operation';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { callAs } from '@roost/testkit/rigs/api/test-backend';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../runner/open-runner.ts';
import { makeDemoHome } from './demo-home.ts';
import { DEMO_RULES, openDemoStage, playStory, type Story } from './open-demo.ts';
import { asyncRoutes } from './stories/async-routes.ts';
import { healthCheck } from './stories/health-check.ts';
import { rateLimit } from './stories/rate-limit.ts';

const ADA = { name: 'ada', face: 'tui' };
type Say = (ask: AskRow, asks: Stage['backend']['asks']) => Awaitable<unknown>;

describe('the health check', () => {
	it('is fixed, tested, fixed again and pushed where its user allows it', async () => {
		const { events, text } = await told(healthCheck, allow);
		expect(decisions(events)).toEqual([
			'allow by ada@tui',
			'allow by demo-tests',
			'allow by demo-test-files',
			'allow by demo-tests',
			'deny by demo-no-force',
			'allow by ada@tui',
		]);
		expect(text).toContain('expected 200 to be 503');
		expect(text).toContain('The branch `fix/health-check` is pushed.');
		expect(ends(events)).toEqual(['completed']);
		expect(todosLeft(events)).toBe(0);
	});

	it('is left as it is where its user denies the change', async () => {
		const { events, text } = await told(healthCheck, deny(false));
		expect(text).toContain('I leave `src/health.ts` as it is');
		expect(text).not.toContain('npm test');
		expect(ends(events)).toEqual(['completed']);
	});

	it('stops where its user wants it to', async () => {
		const { events } = await told(healthCheck, deny(true));
		expect(ends(events)).toEqual(['aborted']);
	});

	it('goes on by itself where nobody answers', async () => {
		const { events } = await told(healthCheck, () => Promise.resolve(), 50);
		expect(decisions(events).filter((decision) => decision === 'no_opinion by timeout')).toHaveLength(2);
		expect(ends(events)).toEqual(['completed']);
	});

	it('makes the change that its user made of it', async () => {
		const changed = { file_path: 'src/health.ts', old_string: 'a', new_string: 'b' };
		const { events } = await told(healthCheck, (ask, asks) =>
			asks.approve(
				{ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision: 'allow', modifiedInput: changed },
				callAs(ADA),
			),
		);
		const done = events.find(({ kind, data }) => kind === 'tool.post' && 'tool_name' in data && data.tool_name === 'Edit');
		expect(done?.data).toMatchObject({ tool_input: changed });
	});
});

describe('the rate limit', () => {
	it('is built as it was answered', async () => {
		const answers = { 'Where should the counters be stored?': 'Redis', 'Which routes need a limit first?': '/login, /export' };
		const { events, text } = await told(rateLimit, (ask, asks) =>
			asks.answer({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, answers }, callAs(ADA)),
		);
		expect(text).toContain('The counters are stored in: Redis. Limited first: /login, /export.');
		expect(text).toContain('export const limits = [\\"/login\\",\\"/export\\"]');
		expect(ends(events)).toEqual(['completed']);
	});

	it('is built in a way that is easy to undo where there is no answer', async () => {
		const { events, text } = await told(rateLimit, (ask, asks) =>
			asks.answer({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, answers: {} }, callAs(ADA)),
		);
		expect(text).toContain('Without an answer I pick what is easiest to undo. The counters are stored in: In memory.');
		expect(ends(events)).toEqual(['completed']);
	});
});

describe('the long day', () => {
	it('has hundreds of events, fails once, and ends well, without asking anybody', async () => {
		const { events } = await told(asyncRoutes, () => Promise.reject(new Error('nobody should be asked')));
		expect(events.length).toBeGreaterThan(250);
		expect(ends(events)).toEqual(['failed', 'completed']);
		expect(events.at(-1)?.kind).toBe('session.end');
	});
});

it('is the same each time, but for the times', async () => {
	const [one, other] = [await told(healthCheck, allow), await told(healthCheck, allow)];
	const plain = ({ events }: typeof one) => events.map(({ kind, title, actor_id }) => ({ kind, title, actor_id }));
	expect(plain(other)).toEqual(plain(one));
});

it.each([healthCheck, rateLimit, asyncRoutes])('ends at once when the show is over: $id', async (story) => {
	using home = unwrap(makeDemoHome(process.env));
	await using stage = unwrap(await openDemoStage({ env: home.env, folder: home.folder, speed: 1 }, DEMO_RULES));
	const over = new AbortController();
	const playing = playStory(story, { stage, speed: 1, signal: over.signal });
	over.abort();
	await playing;
});

/** Everything a story tells, deltas left out, when it is played to its end and each ask is answered so. */
async function told(story: Story, say: Say, patienceMs = 20_000): Promise<{ events: FeedEvent[]; text: string }> {
	using home = unwrap(makeDemoHome(process.env));
	writeFileSync(join(home.env.ROOST_HOME ?? '', 'config.yaml'), `sdk:\n  approvalTimeoutMs: ${patienceMs}\n`);
	await using stage = unwrap(await openDemoStage({ env: home.env, folder: home.folder, speed: 5_000 }, DEMO_RULES));
	const events: FeedEvent[] = [];
	const answers: Awaitable<unknown>[] = [];
	stage.onUpdate((batch) => {
		events.push(...batch.events.filter(({ kind }) => kind !== 'message.display'));
		for (const ask of batch.asks) if (ask.state === 'pending') answers.push(say(ask, stage.backend.asks));
	});
	await playStory({ ...story, beganAgoMs: 0 }, { stage, speed: 5_000, signal: new AbortController().signal });
	await Promise.all(answers);
	return { events, text: JSON.stringify(events) };
}

function allow(ask: AskRow, asks: Stage['backend']['asks']): Awaitable<unknown> {
	return asks.approve({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision: 'allow' }, callAs(ADA));
}

function deny(interrupt: boolean): Say {
	return (ask, asks) =>
		asks.approve({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision: 'deny', interrupt }, callAs(ADA));
}

function decisions(events: readonly FeedEvent[]): string[] {
	return events.flatMap((event) => {
		if (event.kind !== 'permission.decision') return [];
		const { decision_type, principal, rule_id, decided_by } = event.data;
		return [`${decision_type} by ${rule_id ?? principal ?? decided_by}`];
	});
}

function ends(events: readonly FeedEvent[]): string[] {
	return events.flatMap((event) => (event.kind === 'run.end' ? [event.data.status] : []));
}

function todosLeft(events: readonly FeedEvent[]): number {
	const added = events.filter(({ kind }) => kind === 'todo.add').length;
	return added - events.filter(({ kind }) => kind === 'todo.done').length;
}
