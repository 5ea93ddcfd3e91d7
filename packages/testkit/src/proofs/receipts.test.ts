// kill -9 of a real runner between the effect of a command and its reply: the repeat does nothing twice and gets the first result.
import { join } from 'node:path';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { describe, expect, it } from 'vitest';
import { askThrough } from '../rigs/agents/hook-agent.ts';
import { readStored } from '../rigs/runner/engine-rig.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 30 : 2;
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000003';
const TIMEOUT = { timeout: ROUNDS * 60_000 };

describe('command whose runner is killed after its effect', () => {
	it('renames a session once, and a retry returns the first result', TIMEOUT, async () => {
		await using world = await openWorld();
		const { id } = world;
		for (let round = 0; round < ROUNDS; round += 1) {
			const command = { commandId: `rename-${round}`, id, title: `Title ${round}` };
			const isDone = () =>
				world.facts().some(({ kind, data }) => kind === 'session.renamed' && 'title' in data && data.title === command.title);
			await world.killOnce(() => world.api().sessions.rename(command), isDone);
			expect(unwrap(await world.api().sessions.rename(command))).toEqual({ sessionId: id });
			expect(unwrapError(await world.api().sessions.rename({ ...command, title: 'Another' })).code).toBe('conflict');
		}
		const titles = world.facts().flatMap((fact) => (fact.kind === 'session.renamed' ? [fact.data.title] : []));
		expect(titles).toEqual(Array.from({ length: ROUNDS }, (_, round) => `Title ${round}`));
	});

	it('answers an ask once, and a retry returns the decided ask', TIMEOUT, async () => {
		await using world = await openWorld();
		const { id } = world;
		for (let round = 0; round < ROUNDS; round += 1) {
			const ask = await world.ask(`make ${round}`);
			const command = { commandId: `allow-${round}`, id, askId: ask.id, nonce: ask.nonce, decision: 'allow' } as const;
			const isDone = () => world.decisions().length > round;
			await world.killOnce(() => world.api().asks.approve(command), isDone);
			const repeated = unwrap(await world.api().asks.approve(command));
			expect(repeated).toMatchObject({ id: ask.id, state: 'allowed', verdict: { type: 'allow' } });
			const other = unwrapError(await world.api().asks.approve({ ...command, commandId: 'another' }));
			expect(other.code).toBe('conflict');
		}
		expect(world.decisions()).toHaveLength(ROUNDS);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const runner = stack.use(await startRunnerProcess());
	const api = (): ApiClient => {
		const { url: baseUrl, token } = runner;
		return createApiClient({ baseUrl, token, face: 'test', fetch });
	};
	const place = { agent: 'claude', cwd: runner.folder, gate: 'observe', headless: true, pid: runner.waiterPid } as const;
	const { hooks, sessionId: id } = unwrap(await api().launches.open(place));
	const report = (payload: object) => askThrough('http', { hooks, gate: 'observe', payload: { session_id: NATIVE, ...payload } });
	await report({ hook_event_name: 'UserPromptSubmit', prompt: 'go' });
	await waitFor(async () => (await api().record.session({ id })).ok || undefined, { what: 'the session' });

	/** Read from disk, independent of the runner. */
	function facts(): FeedEvent[] {
		const store = unwrap(openSqliteStore({ path: join(runner.home, 'roost.db'), access: 'read' }));
		const stored = readStored(store, id).map(({ event }) => event);
		void store.close();
		return stored;
	}

	const owned = stack.move();
	return {
		id,
		api,
		facts,
		decisions: () => facts().filter(({ kind }) => kind === 'permission.decision'),
		/** Sends it, and kills the runner as soon as the effect is on disk, whether it has replied or not. */
		async killOnce(send: () => Promise<unknown>, isDone: () => boolean) {
			const sent = send();
			await waitFor(() => isDone() || undefined, { everyMs: 1, what: 'the effect' });
			await runner.kill();
			await sent;
			await runner.restart();
		},
		async ask(command: string) {
			// Its connection breaks when the runner is killed.
			void report({ hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command } }).catch(() => undefined);
			const pending = async () => unwrap(await api().asks.list()).find(({ input }) => input.command === command);
			return await waitFor(pending, { what: 'the ask' });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
