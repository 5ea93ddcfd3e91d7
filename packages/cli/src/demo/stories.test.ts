// The stories of the demo on a real runner in this process: every answer leads to a sensible end.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { titleOf } from '@roost/core/feed/title';
import type { AskRow } from '@roost/protocol/ask';
import type { Awaitable } from '@roost/protocol/contract/operation';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { callAs } from '@roost/testkit/rigs/api/test-backend';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../runner/open-runner.ts';
import { makeDemoHome } from './demo-home.ts';
import { DEMO_RULES, openDemoStage, playStory, type Story } from './open-demo.ts';
import { apiGuide } from './stories/api-guide.ts';
import { asyncRoutes } from './stories/async-routes.ts';
import { cleanBuild } from './stories/clean-build.ts';
import { flakyTest } from './stories/flaky-test.ts';
import { healthCheck } from './stories/health-check.ts';
import { rateLimit } from './stories/rate-limit.ts';
import { releaseNotes } from './stories/release-notes.ts';

const ADA = { name: 'ada', face: 'tui' };
type Say = (ask: AskRow, asks: Stage['backend']['asks']) => Awaitable<unknown>;

describe('health check story', () => {
	it('is fixed, tested, fixed again and pushed when the user approves', async () => {
		const { events, text } = await reported(healthCheck, allow);
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

	it('leaves the file unchanged when the user denies the edit', async () => {
		const { events, text } = await reported(healthCheck, deny(false));
		expect(text).toContain('I leave `src/health.ts` as it is');
		expect(text).not.toContain('npm test');
		expect(ends(events)).toEqual(['completed']);
	});

	it('stops when the user denies with an interrupt', async () => {
		const { events } = await reported(healthCheck, deny(true));
		expect(ends(events)).toEqual(['aborted']);
	});

	it('continues when every ask times out', async () => {
		const { events } = await reported(healthCheck, () => Promise.resolve(), 50);
		expect(decisions(events).filter((decision) => decision === 'no_opinion by timeout')).toHaveLength(2);
		expect(ends(events)).toEqual(['completed']);
	});

	it('applies the edit as changed by the user', async () => {
		const changed = { file_path: 'src/health.ts', old_string: 'a', new_string: 'b' };
		const { events } = await reported(healthCheck, (ask, asks) =>
			asks.approve(
				{ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision: 'allow', modifiedInput: changed },
				callAs(ADA),
			),
		);
		const done = events.find(({ kind, data }) => kind === 'tool.post' && 'tool_name' in data && data.tool_name === 'Edit');
		expect(done?.data).toMatchObject({ tool_input: changed });
	});
});

describe('rate limit story', () => {
	it('follows the answers', async () => {
		const answers = { 'Where should the counters be stored?': 'Redis', 'Which routes need a limit first?': '/login, /export' };
		const { events, text } = await reported(rateLimit, (ask, asks) =>
			asks.answer({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, answers }, callAs(ADA)),
		);
		expect(text).toContain('The counters are stored in: Redis. Limited first: /login, /export.');
		expect(text).toContain('export const limits = [\\"/login\\",\\"/export\\"]');
		expect(ends(events)).toEqual(['completed']);
	});

	it('picks the option that is easiest to undo without an answer', async () => {
		const { events, text } = await reported(rateLimit, (ask, asks) =>
			asks.answer({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, answers: {} }, callAs(ADA)),
		);
		expect(text).toContain('Without an answer I pick what is easiest to undo. The counters are stored in: In memory.');
		expect(ends(events)).toEqual(['completed']);
	});
});

describe('long day story', () => {
	it('has hundreds of events, fails once, and completes without asking', async () => {
		const { events } = await reported(asyncRoutes, () => Promise.reject(new Error('nobody should be asked')));
		expect(events.length).toBeGreaterThan(250);
		expect(ends(events)).toEqual(['failed', 'completed']);
		expect(events.at(-1)?.kind).toBe('session.end');
	});
});

describe('stories of the demo in a browser', () => {
	it('ask before a folder is deleted, and respect a denial', async () => {
		const allowed = await reported(cleanBuild, allow);
		expect(decisions(allowed.events)).toEqual(['allow by ada@tui']);
		expect(allowed.asks).toMatchObject([{ tool: 'Bash', risk: 'high' }]);
		expect(allowed.text).toContain('The new package has 41 files');
		expect(todosLeft(allowed.events)).toBe(0);
		const denied = await reported(cleanBuild, deny(false));
		expect(denied.text).toContain('I did not delete `dist`');
		expect(ends(denied.events)).toEqual(['completed']);
	});

	it('include one that failed, one that ended with its cost, and one that works for minutes with subagents', async () => {
		const failed = await reported(flakyTest, allow);
		expect(ends(failed.events)).toEqual(['failed']);
		const ended = await reported(releaseNotes, allow);
		expect(ended.events.at(-1)?.kind).toBe('session.end');
		expect(ended.text).toMatch(/"cost_usd_estimate":\d/);
		const long = await reported(apiGuide, () => Promise.reject(new Error('nobody should be asked')));
		expect(ends(long.events)).toEqual(['completed']);
		expect(long.events.filter(({ kind }) => kind === 'subagent.start').length).toBeGreaterThan(10);
	});
});

it('plays the same story each time, except for the times', async () => {
	const [one, other] = [await reported(healthCheck, allow), await reported(healthCheck, allow)];
	const plain = ({ events }: typeof one) =>
		events.map(({ kind, data, actor_id }) => ({ kind, title: titleOf(kind, data), actor_id }));
	expect(plain(other)).toEqual(plain(one));
});

it.each([healthCheck, rateLimit, asyncRoutes, cleanBuild, apiGuide])(
	'stops at once when the demo is aborted: $id',
	async (story) => {
		using home = unwrap(makeDemoHome(process.env));
		await using stage = unwrap(await openDemoStage({ env: home.env, folder: home.folder, speed: 1 }, DEMO_RULES));
		const over = new AbortController();
		const playing = playStory(story, { stage, speed: 1, signal: over.signal });
		over.abort();
		await playing;
	},
);

type Reported = { events: FeedEvent[]; asks: AskRow[]; text: string };

/** All events of a story, without deltas, when every ask is answered by `say`. */
async function reported(story: Story, say: Say, patienceMs = 20_000): Promise<Reported> {
	using home = unwrap(makeDemoHome(process.env));
	writeFileSync(join(home.env.ROOST_HOME ?? '', 'config.yaml'), `sdk:\n  approvalTimeoutMs: ${patienceMs}\n`);
	await using stage = unwrap(await openDemoStage({ env: home.env, folder: home.folder, speed: 5_000 }, DEMO_RULES));
	const events: FeedEvent[] = [];
	const asks: AskRow[] = [];
	const answers: Awaitable<unknown>[] = [];
	stage.onUpdate((batch) => {
		events.push(...batch.events.filter(({ kind }) => kind !== 'message.display'));
		for (const ask of batch.asks.filter(({ state }) => state === 'pending')) {
			asks.push(ask);
			answers.push(say(ask, stage.backend.asks));
		}
	});
	await playStory({ ...story, beganAgoMs: 0 }, { stage, speed: 5_000, signal: new AbortController().signal });
	await Promise.all(answers);
	return { events, asks, text: JSON.stringify(events) };
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
