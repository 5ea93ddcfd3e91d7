// SIGTERM to a real runner with a pending ask: the ask stays on record, and its agent can reconnect for the answer.
import { createApiClient } from '@roost/client/api-client';
import type { AskRow } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { askThrough, type Door, type Seen } from '../rigs/agents/hook-agent.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const DEADLINE_MS = 120_000;

describe('runner stopped while an ask is pending', () => {
	it('keeps the ask for a forwarder, which gets the answer from the next runner', async () => {
		await using world = await createWorld('forwarder', 'enforce');
		const before = await world.ask();
		expect(await world.end()).toBe(0);
		expect(world.seen()).toBeUndefined();
		await world.runner.restart();
		const after = await world.ask();
		expect([after.id, after.nonce, after.state]).toEqual([before.id, before.nonce, 'pending']);
		await world.allow(after);
		expect(await world.answered).toEqual({ saw: 'allow' });
	});

	it.each([
		['observe', 'nothing'],
		['enforce', 'deny'],
	] as const)('leaves an agent in %s mode over HTTP with %s, and cancels its ask after the restart', async (gate, saw) => {
		await using world = await createWorld('http', gate);
		const before = await world.ask();
		expect(await world.end()).toBe(0);
		expect(await world.answered).toMatchObject({ saw });
		await world.runner.restart();
		const after = await waitFor(async () => (await world.asks()).find(({ state }) => state !== 'pending'), {
			deadlineMs: DEADLINE_MS,
			what: 'the ask to be cancelled',
		});
		expect(after).toMatchObject({ id: before.id, state: 'cancelled' });
	});
});

async function createWorld(door: Door, gate: 'observe' | 'enforce') {
	await using stack = new AsyncDisposableStack();
	const runner = stack.use(await startRunnerProcess());
	const api = () => createApiClient({ baseUrl: runner.url, token: runner.token, face: 'test', fetch });
	const { hooks } = unwrap(
		await api().launches.open({ agent: 'claude', cwd: runner.folder, gate, headless: true, pid: runner.waiterPid }),
	);
	const call = { hook_event_name: 'PermissionRequest', session_id: 'n1', tool_name: 'Bash', tool_input: { command: 'make' } };
	let seen: Seen | undefined;
	const answered = askThrough(door, { hooks, gate, payload: call }).then((reported) => {
		seen = reported;
		return reported;
	});
	const asks = async () => unwrap(await api().asks.list({ all: true }));
	const owned = stack.move();
	return {
		runner,
		answered,
		seen: () => seen,
		asks,
		ask: () => waitFor(async () => (await asks())[0], { deadlineMs: DEADLINE_MS, what: 'the ask' }),
		async allow({ id, sessionId, nonce }: AskRow) {
			unwrap(await api().asks.approve({ id: sessionId, askId: id, nonce, decision: 'allow' }));
		},
		async end() {
			runner.program.signal('SIGTERM');
			return (await runner.program.waitForExit(DEADLINE_MS)).code;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
