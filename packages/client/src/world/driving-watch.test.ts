import { promptId, sessionId } from '@roost/protocol/ids';
import { sampleAgentRow } from '@roost/testkit/rigs/agents/scripted-agents';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { samplePast } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../api-client.ts';
import type { StreamClient } from '../stream-client.ts';
import { type DrivingFacts, NO_DRIVING, watchDriving } from './driving-watch.ts';
import type { Notice } from './notice.ts';

const S1 = sessionId.parse('s1');
const S2 = sessionId.parse('s2');
const WAITING = [{ id: promptId.parse('p1'), text: 'next', queuedAt: 1 }];

/** The runner's reply for a session that takes prompts. */
const DRIVEN = { status: 200, body: { ...sampleSession('s2'), driving: { takesPrompts: true } } };

/** A real API client whose requests are kept and answered by path. */
function openWatch(answers: Record<string, { status: number; body: unknown }> = {}) {
	let facts: DrivingFacts = NO_DRIVING;
	let reportQueue: Parameters<StreamClient['onQueue']>[0] = () => {};
	const rig = { sent: [] as unknown[], noticed: [] as Notice[], shown: [] as string[] };
	const api = createApiClient({
		baseUrl: 'http://runner',
		token: 'secret',
		face: 'cli',
		async fetch(url, { method, body }) {
			rig.sent.push([method, url.replace('http://runner/api/v1', ''), ...(body ? [JSON.parse(body)] : [])]);
			const { status, body: reply } = answers[new URL(url).pathname.replace('/api/v1', '')] ?? { status: 200, body: {} };
			return { status, text: async () => JSON.stringify(reply) };
		},
	});
	const watch = watchDriving({
		api,
		project: { path: '/project' },
		stream: {
			onQueue(handler) {
				reportQueue = handler;
				return () => {};
			},
		},
		newId: () => 'c1',
		notify: (notice) => rig.noticed.push(notice),
		onChange(part) {
			facts = { ...facts, ...part };
		},
		onSession: (id) => rig.shown.push(id),
	});
	return {
		...rig,
		watch,
		facts: () => facts,
		reportQueue: (prompts: typeof WAITING) => reportQueue({ type: 'queue', sessionId: S1, prompts }),
	};
}

describe('models of an agent', () => {
	it('are those of the open session', async () => {
		const { watch, facts } = openWatch({ '/sessions/s2': DRIVEN, '/sessions/s2/models': { status: 200, body: ['opus'] } });
		await watch.open(S2);
		expect(facts().models).toEqual(['opus']);
		watch.openPast();
		expect(facts().models).toEqual([]);
	});
});

describe('queued prompts', () => {
	it('are those of the last update', () => {
		const { reportQueue, facts } = openWatch();
		reportQueue(WAITING);
		expect(facts().queues).toEqual(new Map([[S1, WAITING]]));
		reportQueue([]);
		expect(facts().queues).toEqual(new Map());
	});

	it('are cleared with the connection, because they are sent again', async () => {
		const { reportQueue, facts, watch } = openWatch();
		reportQueue(WAITING);
		await watch.renew();
		expect(facts().queues).toEqual(new Map());
	});
});

describe('startable agents', () => {
	it('are read on each connection, and only installed agents that take prompts are listed', async () => {
		const program = { path: null, version: null, problem: { kind: 'missing' as const, sentence: 'Install it.' } };
		const body = [sampleAgentRow(), sampleAgentRow({ id: 'shy', takesPrompts: false }), sampleAgentRow({ id: 'gone', program })];
		const { watch, facts } = openWatch({ '/agents': { status: 200, body } });
		expect(facts().agents).toEqual([]);
		await watch.renew();
		expect(facts().agents).toEqual([{ id: 'mock', guard: 'no permission hook' }]);
	});
});

describe('UI actions', () => {
	it.each([
		[{ type: 'prompt', id: S1, text: 'go' }, ['POST', '/sessions/s1/messages', { commandId: 'c1', text: 'go' }]],
		[{ type: 'interrupt', id: S1 }, ['POST', '/sessions/s1/interrupt', { commandId: 'c1' }]],
		[
			{ type: 'edit-queued', id: S1, prompt: promptId.parse('p1'), text: 'x' },
			['PATCH', '/sessions/s1/queue/p1', { commandId: 'c1', text: 'x' }],
		],
		[
			{ type: 'move-queued', id: S1, prompt: promptId.parse('p1'), to: 2 },
			['POST', '/sessions/s1/queue/p1/move', { commandId: 'c1', to: 2 }],
		],
		[{ type: 'send-now', id: S1, prompt: promptId.parse('p1') }, ['POST', '/sessions/s1/queue/p1/now', { commandId: 'c1' }]],
		[{ type: 'fork-session', id: S1, upTo: 'm7' }, ['POST', '/sessions/s1/fork', { commandId: 'c1', upTo: 'm7' }]],
		[{ type: 'end-session', id: S1 }, ['POST', '/sessions/s1/end', { commandId: 'c1' }]],
		[{ type: 'adjust-session', id: S1, model: 'm' }, ['POST', '/sessions/s1/settings', { commandId: 'c1', model: 'm' }]],
		[{ type: 'rename-session', id: S1, title: 'x' }, ['POST', '/sessions/s1/rename', { commandId: 'c1', title: 'x' }]],
		[{ type: 'archive-session', id: S1, archived: true }, ['POST', '/sessions/s1/archive', { commandId: 'c1', archived: true }]],
		[
			{ type: 'resume-past', session: samplePast() },
			[
				'POST',
				'/sessions',
				{ commandId: 'c1', projectId: '/project', agent: 'claude', resume: { nativeId: samplePast().nativeId } },
			],
		],
		[{ type: 'cancel-queued', id: S1, prompt: promptId.parse('p1') }, ['DELETE', '/sessions/s1/queue/p1?commandId=c1']],
	] as const)('are sent to the runner: %j', async (wish, request) => {
		const { watch, sent } = openWatch();
		await watch.perform(wish);
		expect(sent).toEqual([request]);
	});

	it.each([
		[{ type: 'resume-session', id: S1 }, '/sessions/s1/resume'],
		[{ type: 'fork-session', id: S1 }, '/sessions/s1/fork'],
		[{ type: 'new-session', agent: 'mock' }, '/sessions'],
	] as const)('open the resulting session: %j', async (wish, path) => {
		const { watch, shown } = openWatch({ [path]: { status: 200, body: { sessionId: 's2' } } });
		await watch.perform(wish);
		expect(shown).toEqual(['s2']);
	});

	it('report an archived session, or the failure', async () => {
		const { watch, noticed } = openWatch({
			'/sessions/s1/archive': { status: 200, body: { sessionId: 's1' } },
			'/sessions/s2/archive': { status: 404, body: { code: 'not_found', message: 'Session not found.' } },
		});
		await watch.perform({ type: 'archive-session', id: S1, archived: true });
		await watch.perform({ type: 'archive-session', id: S1, archived: false });
		await watch.perform({ type: 'archive-session', id: S2, archived: true });
		expect(noticed).toEqual([
			{ type: 'archived', id: S1, archived: true },
			{ type: 'archived', id: S1, archived: false },
			{ type: 'failed', message: 'Session not found.' },
		]);
	});

	it('report a session that was taken back, and reload whether it accepts prompts', async () => {
		const { watch, noticed, sent, facts } = openWatch({
			'/sessions/s2': DRIVEN,
			'/sessions/s2/mode': { status: 200, body: { sessionId: 's2' } },
			'/sessions/s1/mode': { status: 409, body: { code: 'conflict', message: 'This session is only observed.' } },
		});
		await watch.open(S2);
		await watch.perform({ type: 'take-back', id: S2 });
		const looked = [
			['GET', '/sessions/s2'],
			['GET', '/sessions/s2/models'],
		];
		expect(sent).toEqual([...looked, ['POST', '/sessions/s2/mode', { commandId: 'c1', mode: 'sdk' }], ...looked]);
		expect(facts().driving).toEqual({ takesPrompts: true });
		await watch.perform({ type: 'take-back', id: S1 });
		expect(noticed).toEqual([
			{ type: 'taken-back', id: S2 },
			{ type: 'failed', message: 'This session is only observed.' },
		]);
	});

	it('report a queued prompt', async () => {
		const { watch, noticed } = openWatch({
			'/sessions/s1/messages': { status: 200, body: { promptId: 'p1', queued: WAITING[0] } },
		});
		await watch.perform({ type: 'prompt', id: S1, text: 'next' });
		expect(noticed).toEqual([{ type: 'prompt-queued' }]);
	});

	it('report the error of the runner', async () => {
		const answer = { status: 409, body: { code: 'conflict', message: 'This session is only observed.' } };
		const { watch, noticed, shown } = openWatch({ '/sessions/s1/messages': answer, '/sessions/s1/fork': answer });
		await watch.perform({ type: 'prompt', id: S1, text: 'go' });
		await watch.perform({ type: 'fork-session', id: S1 });
		expect(noticed).toEqual([
			{ type: 'prompt-failed', message: 'This session is only observed.' },
			{ type: 'failed', message: 'This session is only observed.' },
		]);
		expect(shown).toEqual([]);
	});
});

describe('open session', () => {
	it('is checked for whether it accepts prompts, which is unknown until then', async () => {
		const { watch, facts } = openWatch({ '/sessions/s2': DRIVEN });
		const looked = watch.open(S2);
		expect(facts().driving).toBeNull();
		await looked;
		expect(facts().driving).toEqual({ takesPrompts: true });
		const late = watch.open(S2);
		await Promise.all([late, watch.open(S1)]);
		expect(facts().driving).toBeNull();
	});

	it('accepts no prompts if it is a past one, even after a late reply about another', async () => {
		const { watch, facts } = openWatch({ '/sessions/s2': DRIVEN });
		const looked = watch.open(S2);
		watch.openPast();
		await looked;
		expect(facts().driving).toMatchObject({ takesPrompts: false, why: expect.stringContaining(':resume') });
	});
});
