// The runner of a real claude is killed with a pending ask: it is restarted automatically, and the session continues.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Reached, reachRunner } from '@roost/cli/runner/reach';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { describe, expect, it } from 'vitest';
import { createGate } from '../fakes/gate.ts';
import { callTool, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { openClaudeRig } from '../rigs/agents/claude-rig.ts';
import { startProgram } from '../rigs/program.ts';
import { readStored } from '../rigs/runner/engine-rig.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 10 : 1;

describe('runner of a real claude', () => {
	const cases = Array.from(
		{ length: ROUNDS },
		(_, round) =>
			[
				{ flags: ['--enforce'], answer: 'allow', round },
				{ flags: ['--enforce'], answer: 'deny', round },
				{ flags: [], answer: undefined, round },
			] as const,
	).flat();

	it.each(cases)(
		'restarts after a kill, and no call runs without approval: $flags $answer ($round)',
		{ timeout: 180_000 },
		async ({ flags, answer }) => {
			const secondTurn = createGate();
			await using claude = await openClaudeRig({ script: twoCalls(secondTurn.opened) });
			const env = claude.roostEnv;
			await using program = await startProgram(roostArgv(...flags, 'claude', '-p', 'x'), { cwd: claude.project, env });
			const seen = () => program.output();
			const first = await waitFor(() => askOf(env), { what: 'the first ask', seen });
			const answered = answer ? approve(first, answer) : undefined;
			await delay(Math.random() * 15);
			process.kill(first.reached.running.pid, 'SIGKILL');
			await answered;
			await waitFor(async () => ((await reach(env))?.running.pid ?? first.pid) !== first.pid || undefined, {
				what: 'the next runner',
				seen,
			});
			secondTurn.open();
			const second = await waitFor(
				async () => {
					const found = await askOf(env);
					return found && found.ask.id !== first.ask.id ? found : undefined;
				},
				{ what: 'the second ask', seen },
			);
			await approve(second, 'allow');
			expect(await program.waitForExit(60_000)).toMatchObject({
				code: 0,
				stderr: expect.not.stringContaining('the runner is gone'),
			});

			await using store = unwrap(openSqliteStore({ path: join(env.ROOST_HOME ?? '', 'roost.db'), access: 'read' }));
			expect(unwrap(store.verify())).toMatchObject({ intact: true });
			expect(unwrap(store.verifyTables())).toEqual([]);
			const facts = readStored(store, first.ask.sessionId).map(({ event }) => event);
			expect(facts.filter((fact) => fact.kind === 'runtime.status')).toMatchObject([{ data: { status: 'gap' } }]);
			const [one, two] = ['one.txt', 'two.txt'].map((file) => existsSync(join(claude.project, file)));
			expect(two).toBe(true);
			expect(decisionsOn(facts, second.ask)).toEqual(['allow']);
			expect(decisionsOn(facts, first.ask)).toHaveLength(1);
			if (one) expect(decisionsOn(facts, first.ask)).toEqual(['allow']);
			if (answer !== 'allow') expect(one).toBe(false);
			expect(readdirSync(join(env.ROOST_HOME ?? '', 'run')).filter((name) => name.startsWith('launch-'))).toEqual([]);
		},
	);

	it('stays down after roost down, and roost claude reports that at the end', { timeout: 180_000 }, async () => {
		const secondTurn = createGate();
		await using claude = await openClaudeRig({ script: twoCalls(secondTurn.opened) });
		const env = claude.roostEnv;
		await using program = await startProgram(roostArgv('--enforce', 'claude', '-p', 'x'), { cwd: claude.project, env });
		await waitFor(() => askOf(env), { what: 'the ask', seen: program.output });
		await using down = await startProgram(roostArgv('down', '--force'), { cwd: claude.project, env });
		expect(await down.waitForExit(60_000)).toMatchObject({ code: 0 });
		secondTurn.open();
		expect((await program.waitForExit(60_000)).stderr).toContain('it was stopped');
		expect(await reach(env)).toBeNull();
		expect(readdirSync(claude.project).filter((name) => name.endsWith('.txt'))).toEqual([]);
	});
});

function decisionsOn(facts: readonly FeedEvent[], { id }: AskRow): string[] {
	return facts.flatMap((fact) =>
		fact.kind === 'permission.decision' && fact.data.ask_id === id ? [fact.data.decision_type] : [],
	);
}

/** The second call is made when the test says so. */
function twoCalls(secondTurn: Promise<void>): Script {
	return async (request) => {
		const results = request.messages.filter((message) => message.content.some((block) => block.type === 'tool_result')).length;
		if (results === 2) return { kind: 'message', blocks: [say('Over.')] };
		if (results === 1) await secondTurn;
		return { kind: 'message', blocks: [callTool('Bash', { command: `touch ${results === 0 ? 'one' : 'two'}.txt` })] };
	};
}

type Asked = { ask: AskRow; api: ApiClient; reached: Reached; pid: number };

async function reach(env: NodeJS.ProcessEnv): Promise<Reached | null> {
	return existsSync(env.ROOST_HOME ?? '') ? unwrap(await reachRunner({ env })) : null;
}

async function askOf(env: NodeJS.ProcessEnv): Promise<Asked | undefined> {
	const reached = await reach(env);
	if (!reached) return undefined;
	const api = createApiClient({ ...reached, face: 'test', fetch });
	const asks = await api.asks.list();
	const ask = asks.ok ? asks.value.at(-1) : undefined;
	return ask && { ask, api, reached, pid: reached.running.pid };
}

/** If the runner is killed during the call, the answer may or may not be recorded. */
async function approve({ ask, api }: Asked, decision: 'allow' | 'deny'): Promise<void> {
	const denyMessage = decision === 'deny' ? 'no' : undefined;
	await api.asks.approve({ id: ask.sessionId, askId: ask.id, nonce: ask.nonce, decision, denyMessage });
}
