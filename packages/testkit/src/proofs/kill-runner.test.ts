// kill -9 of a real runner at each step of an ask: nothing runs twice or after a denial, and nothing is lost.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { Socket } from '@roost/client/socket';
import { createStreamClient } from '@roost/client/stream-client';
import { realTimers } from '@roost/machine/timers';
import type { AskRow } from '@roost/protocol/ask';
import { sessionStream } from '@roost/protocol/ids';
import type { StoredLine } from '@roost/protocol/stored-line';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { describe, expect, it } from 'vitest';
import { askThrough, type Door, type Seen } from '../rigs/agents/hook-agent.ts';
import { readStored } from '../rigs/runner/engine-rig.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 60 : 4;
const MOMENTS = ['reported', 'asked', 'answered', 'replied'] as const;
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';
type Gate = 'observe' | 'enforce';

const CASES = (['http', 'forwarder'] as const).flatMap((door) =>
	(['enforce', 'observe'] as const).map((gate) => [door, gate] as const),
);

describe('runner killed while an ask is pending', () => {
	it.each(CASES)(
		'over %s, %s: executes at most once, never after a denial, and keeps the record complete',
		{ timeout: ROUNDS * 60_000 },
		async (door, gate) => {
			await using world = await createWorld(door, gate);
			for (let round = 0; round < ROUNDS; round += 1) await killOnce(world, MOMENTS[round % MOMENTS.length] ?? 'asked');
			await waitFor(async () => (unwrap(await world.api().asks.list()).length === 0 ? true : undefined), {
				what: 'every ask to be over',
			});
			const lines = await world.stored();
			for (const call of world.calls) checkCall(call, lines, gate);
			expect(lines.map((line) => line.offset)).toEqual(lines.map((_, index) => index + 1));
			expect(statuses(lines)).toEqual(Array.from({ length: ROUNDS }, () => 'gap'));
			await waitFor(() => (world.received.length >= lines.length ? true : undefined), {
				what: 'the client to receive the rest',
			});
			expect(world.received).toEqual(lines.map((line) => line.event.event_id));
		},
	);
});

type Call = { command: string; seen: Seen; executions: number };
type World = Awaited<ReturnType<typeof createWorld>>;

async function createWorld(door: Door, gate: Gate) {
	await using stack = new AsyncDisposableStack();
	const runner = stack.use(await startRunnerProcess());
	const api = (): ApiClient => {
		const { url: baseUrl, token } = runner;
		return createApiClient({ baseUrl, token, face: 'test', fetch });
	};
	const opened = unwrap(
		await api().launches.open({ agent: 'claude', cwd: runner.folder, gate, headless: true, pid: runner.waiterPid }),
	);
	const { hooks, sessionId } = opened;
	await askThrough('http', { hooks, gate, payload: { hook_event_name: 'UserPromptSubmit', session_id: NATIVE, prompt: 'go' } });
	// The reply only means that it was accepted; a gap requires a recorded event.
	await waitFor(async () => (await api().record.session({ id: sessionId })).ok || undefined, { what: 'the prompt' });
	const received: string[] = [];
	const stream = stack.use(followerOf(runner));
	stream.follow({ stream: sessionStream(sessionId), after: 0 }, { onLine: (line) => received.push(line.event.event_id) });
	const owned = stack.move();
	const calls: Call[] = [];
	return {
		runner,
		api,
		received: received,
		calls,
		/** The agent asks, and executes the call if it is allowed. */
		async call(): Promise<Call> {
			const call: Call = { command: `make ${calls.length + 1}`, seen: { saw: 'nothing' }, executions: 0 };
			calls.push(call);
			const payload = {
				hook_event_name: 'PermissionRequest',
				session_id: NATIVE,
				tool_name: 'Bash',
				tool_input: { command: call.command },
			};
			call.seen = await askThrough(door, { hooks, gate, payload });
			if (call.seen.saw === 'allow') call.executions += 1;
			return call;
		},
		async stored(): Promise<StoredLine[]> {
			await using store = unwrap(openSqliteStore({ path: join(runner.home, 'roost.db'), access: 'read' }));
			expect(unwrap(store.verify())).toMatchObject({ intact: true });
			expect(unwrap(store.verifyTables())).toEqual([]);
			return readStored(store, sessionId);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** One client answers before the kill, another sends the opposite afterwards: only the first may count. */
async function killOnce(world: World, moment: (typeof MOMENTS)[number]): Promise<void> {
	const verdict = Math.random() < 0.5 ? 'allow' : 'deny';
	let isOver = false;
	const call = world.call().finally(() => {
		isOver = true;
	});
	const answer = moment === 'reported' ? undefined : await answerBefore(world, moment, verdict);
	await delay(Math.random() * 20);
	await world.runner.kill();
	await world.runner.restart();
	await waitFor(
		async () => {
			const [ask] = unwrap(await world.api().asks.list());
			if (ask) await approve(world.api(), ask, verdict === 'allow' ? 'deny' : 'allow');
			return isOver ? true : undefined;
		},
		{ what: 'the agent to know' },
	);
	await call;
	await answer;
}

async function answerBefore(world: World, moment: 'asked' | 'answered' | 'replied', verdict: 'allow' | 'deny') {
	const ask = await waitFor(async () => unwrap(await world.api().asks.list())[0], { what: 'the ask' });
	if (moment === 'asked') return undefined;
	const answered = approve(world.api(), ask, verdict);
	if (moment === 'replied') await answered;
	return { answered };
}

/** If the runner is killed during the call, the answer may or may not be recorded. */
async function approve(api: ApiClient, ask: AskRow, decision: 'allow' | 'deny'): Promise<void> {
	const denyMessage = decision === 'deny' ? 'no' : undefined;
	const answered = await api.asks.approve({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision, denyMessage });
	if (!answered.ok) expect(answered.error.code).not.toBe('denied');
}

/** The agent's actions must follow from the record. */
function checkCall({ command, seen, executions }: Call, lines: readonly StoredLine[], gate: Gate): void {
	const requests = lines.flatMap(({ event }) =>
		event.kind === 'permission.request' && event.data.tool_input.command === command ? [event] : [],
	);
	const decisions = lines.flatMap(({ event }) =>
		event.kind === 'permission.decision' && event.cause?.parent_event_id === requests[0]?.event_id ? [event.data] : [],
	);
	expect(requests.length, command).toBeLessThanOrEqual(1);
	expect(decisions.length, command).toBe(requests.length);
	if (executions > 0) expect(decisions, command).toMatchObject([{ decision_type: 'allow', decided_by: 'user' }]);
	if (decisions[0]?.decision_type === 'deny') expect(executions, command).toBe(0);
	if (gate === 'enforce') expect(['allow', 'deny', 'failed'], command).toContain(seen.saw);
	expect(executions).toBeLessThanOrEqual(1);
}

function statuses(lines: readonly StoredLine[]): string[] {
	return lines.flatMap(({ event }) => (event.kind === 'runtime.status' ? [event.data.status] : []));
}

function followerOf(runner: RunnerProcess) {
	return createStreamClient({
		openSocket: () => openSocket(`${runner.url.replace('http', 'ws')}/api/v1/stream`, runner.token),
		now: Date.now,
		random: Math.random,
		newId: () => crypto.randomUUID(),
		timers: realTimers,
	});
}

function openSocket(url: string, token: string): Socket {
	const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
	return {
		send: (text) => socket.send(text),
		close: () => socket.close(),
		onOpen: (handler) => socket.addEventListener('open', handler),
		onText: (handler) => socket.addEventListener('message', ({ data }) => handler(String(data))),
		onClose: (handler) => socket.addEventListener('close', ({ reason }) => handler(reason)),
	};
}
