import { randomUUID } from 'node:crypto';
import { projectId, sessionId, streamId } from '@roost/protocol/ids';
import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor, waitForLength } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createApiClient } from './api-client.ts';
import { createStreamClient, type StreamClient } from './stream-client.ts';

const S1 = sessionId.parse('s1');

describe('API client with a gateway', () => {
	it('reads sessions and pages of their lines', async () => {
		await using rig = await startTestGateway();
		const { record, feed } = apiOf(rig);
		await rig.world.append('s1', 5);
		expect(unwrap(await record.sessions()).map(({ id }) => id)).toEqual(['s1']);
		expect(unwrap(await record.sessions({ projectId: projectId.parse('/elsewhere') }))).toEqual([]);
		expect(unwrap(await record.session({ id: S1 })).id).toBe('s1');
		const page = unwrap(await feed.events({ id: S1, after: 2, limit: 2 }));
		expect(page.map(({ offset }) => offset)).toEqual([3, 4]);
		expect(unwrapError(await record.session({ id: sessionId.parse('s9') })).code).toBe('not_found');
	});

	it('drives a session with prompts, queue edits and forks', async () => {
		await using rig = await startTestGateway();
		const { agents, record, sessions, queue } = apiOf(rig);
		await rig.world.append('s1', 1);
		await using stream = streamOf(rig);
		const reported: unknown[] = [];
		stream.onQueue(({ sessionId: id, prompts: waiting }) => reported.push([id, ...waiting.map(({ text }) => text)]));
		expect(unwrap(await agents.list()).map(({ id }) => id)).toEqual(['mock']);
		expect(unwrap(await record.session({ id: S1 })).driving).toEqual({ takesPrompts: true });
		const { queued } = unwrap(await sessions.message({ commandId: 'c1', id: S1, text: 'one' }));
		if (!queued) throw new Error('it was sent');
		expect(unwrap(await sessions.message({ commandId: 'c1', id: S1, text: 'one' })).queued).toEqual(queued);
		expect(unwrap(await queue.list({ id: S1 }))).toEqual([queued]);
		expect(unwrap(await queue.edit({ commandId: 'c2', id: S1, promptId: queued.id, text: 'two' })).text).toBe('two');
		unwrap(await queue.cancel({ commandId: 'c3', id: S1, promptId: queued.id }));
		await waitFor(() => reported.at(-1)?.toString() === 's1' || undefined, { what: 'an empty queue' });
		expect(unwrap(await sessions.fork({ commandId: 'c4', id: S1 })).sessionId).not.toBe(S1);
		for (const command of [sessions.interrupt, sessions.resume, sessions.end]) {
			expect(unwrap(await command({ commandId: randomUUID(), id: S1 })).sessionId).toBe(S1);
		}
		const created = await sessions.create({ commandId: 'c5', projectId: projectId.parse('/project'), agent: 'mock' });
		expect(unwrap(created).sessionId).toMatch(/^driven/);
	});

	it('answers an ask once, and returns the first answer', async () => {
		await using rig = await startTestGateway();
		const { asks } = apiOf(rig);
		const { id: askId, nonce } = rig.world.openAsk('a1');
		expect(unwrap(await asks.list()).map(({ id }) => id)).toEqual(['a1']);
		const body = { askId, nonce, decision: 'deny', denyMessage: 'not today' } as const;
		expect(unwrap(await asks.approve({ id: S1, ...body })).state).toBe('denied');
		expect(rig.world.answeredBy).toMatchObject([{ face: 'cli' }]);
		expect(await asks.approve({ id: S1, ...body, decision: 'allow' })).toMatchObject({
			ok: false,
			error: { code: 'conflict' },
			winner: { state: 'denied', verdict: { type: 'deny', message: 'not today' }, principal: expect.stringContaining('@cli') },
		});
		expect(unwrap(await asks.list())).toEqual([]);
		expect(unwrap(await asks.list({ all: true }))).toHaveLength(1);
	});

	it('answers a question', async () => {
		await using rig = await startTestGateway();
		const { id: askId, nonce } = rig.world.openAsk('q1', { kind: 'question' });
		const answered = unwrap(await apiOf(rig).asks.answer({ id: S1, askId, nonce, answers: { 'Which one?': 'this' } }));
		expect(answered.verdict).toEqual({ type: 'answer', answers: { 'Which one?': 'this' } });
	});

	it('adds, lists, tests and removes rules', async () => {
		await using rig = await startTestGateway();
		const { rules } = apiOf(rig);
		const added = unwrap(await rules.add({ tool: 'Bash', decision: 'deny', scope: 'user' }));
		expect(unwrap(await rules.list())).toEqual([added]);
		expect(unwrap(await rules.test({ tool: 'Bash', input: {} }))).toEqual({ decision: 'deny', rule: added });
		unwrap(await rules.remove({ id: added.id }));
		expect(unwrapError(await rules.remove({ id: added.id })).code).toBe('not_found');
	});

	it('trusts an MCP server of a project only as it was shown, and revokes the trust', async () => {
		await using rig = await startTestGateway();
		await using temp = await createTempDir();
		await putFiles(temp.path, { '.mcp.json': { mcpServers: { s: { command: 'node', args: ['a b'] } } } });
		const { projectServers } = apiOf(rig);
		const [server] = unwrap(await projectServers.list({ project: temp.path })).servers;
		expect(server).toMatchObject({ name: 's', trusted: false, config: { command: 'node', args: ['a b'] } });
		const body = { project: temp.path, name: 's' };
		expect(unwrapError(await projectServers.trust({ ...body, hash: '0'.repeat(64) })).code).toBe('conflict');
		expect(unwrap(await projectServers.trust({ ...body, hash: server?.hash ?? '' }))).toEqual({ ...body, trusted: true });
		expect(unwrap(await projectServers.list({ project: temp.path })).servers[0]?.trusted).toBe(true);
		expect(unwrap(await projectServers.untrust(body))).toEqual({ ...body, trusted: false });
		expect(unwrapError(await projectServers.untrust(body)).code).toBe('not_found');
		expect(unwrapError(await projectServers.list({ project: 'relative' })).code).toBe('bad_request');
	});

	it('opens and ends a launch, gets a ticket, and checks the health of the runner', async () => {
		await using rig = await startTestGateway();
		const api = apiOf(rig);
		const opened = unwrap(
			await api.launches.open({ agent: 'claude', cwd: '/project', gate: 'observe', headless: false, pid: 1 }),
		);
		expect(unwrap(await api.launches.end({ id: opened.launchId }))).toEqual({ sessionId: null });
		expect(unwrap(await api.login.ticket()).path).toMatch(/^\/#ticket=[\w-]{43}$/);
		unwrap(await api.server.health());
	});

	it('is rejected without the token, and reports when no runner answers', async () => {
		await using rig = await startTestGateway();
		expect(unwrapError(await apiOf(rig, 'x'.repeat(40)).rules.list()).code).toBe('unauthorized');
		await rig.stop();
		expect(unwrapError(await apiOf(rig).rules.list()).code).toBe('cannot_start');
	});
});

describe('stream client with a gateway', () => {
	it('follows through restarts without gaps or repeats', async () => {
		await using rig = await startTestGateway();
		await using stream = streamOf(rig);
		const one = collect(stream, 'one');
		const all = collect(stream, 'all');
		await rig.world.append('s1', 300);
		await waitForLength(one, 300);
		for (const round of [1, 2, 3]) {
			await rig.stop();
			await rig.world.append('s2', 5);
			await rig.world.append('s1', 50);
			await rig.start();
			await rig.world.append('s1', 50);
			await waitForLength(one, 300 + round * 100);
		}
		await waitForLength(all, 615);
		expect(one).toEqual(Array.from({ length: 600 }, (_, at) => at + 1));
		expect(all).toEqual(Array.from({ length: 615 }, (_, at) => at + 1));
	});

	it('follows and reads past an event of a kind that only the runner knows', async () => {
		await using rig = await startTestGateway();
		await using stream = streamOf(rig);
		const kinds: string[] = [];
		stream.follow({ stream: streamId.parse('s1'), after: 0 }, { onLine: ({ event }) => kinds.push(event.kind) });
		const novel = Object.assign(sampleEvent('s1', 9), { kind: 'weather.report' });
		rig.world.report({ entries: unwrap(await rig.world.kept.append(sampleAppend('s1', [novel]))).entries });
		await rig.world.append('s1', 1);
		await waitForLength(kinds, 2);
		expect(kinds).toEqual(['unknown.hook', 'user.prompt']);
		const page = unwrap(await apiOf(rig).feed.events({ id: S1 }));
		expect(page.map(({ offset, event }) => `${offset} ${event.kind}`)).toEqual(['1 unknown.hook', '2 user.prompt']);
	});

	it('receives pending asks on connect, their changes, and deltas of followed streams', async () => {
		await using rig = await startTestGateway();
		rig.world.openAsk('a1');
		await using stream = streamOf(rig);
		const received: string[] = [];
		stream.onAsk((ask) => received.push(`${ask.id} ${ask.state}`));
		stream.onDelta((event) => received.push(event.kind));
		let caughtUp = false;
		const onCaughtUp = () => {
			caughtUp = true;
		};
		stream.follow({ stream: streamId.parse('s1'), after: 0 }, { onLine: () => {}, onCaughtUp });
		await waitFor(() => caughtUp || undefined, { what: 'the stream to catch up' });
		rig.world.report({ deltas: [sampleEvent('s1', 1)] });
		rig.world.openAsk('a2');
		await waitForLength(received, 3);
		expect(received).toEqual(['a1 pending', 'user.prompt', 'a2 pending']);
	});

	it('follows the list of sessions through restarts', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		await using stream = streamOf(rig);
		const seen: string[] = [];
		stream.followSessions(
			{},
			{ onRow: ({ id, events }) => seen.push(`${id} ${events}`), onCaughtUp: () => seen.push('caught up') },
		);
		await waitForLength(seen, 2);
		await rig.world.append('s2', 1);
		await rig.world.append('s2', 2);
		await waitFor(() => seen.includes('s2 3') || undefined, { what: 'the last row of s2' });
		await rig.stop();
		await rig.world.append('s1', 1);
		const before = seen.length;
		await rig.start();
		await waitForLength(seen, before + 3);
		expect(seen.slice(0, 3)).toEqual(['s1 1', 'caught up', 's2 1']);
		expect(seen.slice(before)).toEqual(['s2 3', 's1 2', 'caught up']);
	});

	it('answers over the socket, even if the runner was down', async () => {
		await using rig = await startTestGateway();
		await using stream = streamOf(rig);
		await rig.stop();
		const { id: askId, nonce } = rig.world.openAsk('a1');
		const waiting = stream.approve({ id: S1, askId, nonce, decision: 'allow' });
		await rig.start();
		unwrap(await waiting);
		expect(rig.world.answeredBy).toMatchObject([{ face: 'cli' }]);
		expect(unwrapError(await stream.approve({ id: S1, askId, nonce, decision: 'deny' })).code).toBe('conflict');
	});
});

function apiOf({ url, token }: TestGateway, otherToken = token) {
	return createApiClient({ baseUrl: url, token: otherToken, face: 'cli', fetch });
}

function streamOf({ openSocket }: TestGateway): StreamClient {
	const after = (ms: number, action: () => void) => {
		const timer = setTimeout(action, ms);
		return () => clearTimeout(timer);
	};
	const backoff = { initialDelayMs: 20, maxDelayMs: 100, multiplier: 2 };
	return createStreamClient({ openSocket, now: Date.now, random: Math.random, timers: { after }, newId: randomUUID, backoff });
}

function collect(stream: StreamClient, what: 'one' | 'all'): number[] {
	const places: number[] = [];
	if (what === 'one') stream.follow({ stream: streamId.parse('s1'), after: 0 }, { onLine: ({ offset }) => places.push(offset) });
	else stream.follow({ after: null }, { onLine: ({ seqNo }) => places.push(seqNo) });
	return places;
}
