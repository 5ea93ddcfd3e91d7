// Every agent with a connection instead of a terminal, with its real program: prompt, follow-up, stop, state, and close.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Block, callTool, hang, message, say } from '@roost/testkit/fakes/model-reply';
import { TUI_AGENTS, type TuiRig } from '@roost/testkit/rigs/agents/every-agent';
import { endProcessesWithEnv } from '@roost/testkit/rigs/live-processes';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { ConnectionState, RuntimeConnection } from './base/types.ts';

const DEADLINE_MS = 120_000;

/** A shell call of each agent. Calls that would have to ask are denied, so Copilot runs none. */
const KINDS: Readonly<Record<string, { sleep: Block; more: (model: string) => readonly string[]; runs: string | undefined }>> = {
	codex: { sleep: callTool('exec_command', { cmd: 'sleep 60', yield_time_ms: 60_000 }), more: () => [], runs: 'Bash' },
	pi: { sleep: callTool('bash', { command: 'sleep 60' }), more: (model) => ['--model', model], runs: 'Bash' },
	copilot: { sleep: callTool('bash', { command: 'touch made', description: 'it' }), more: () => [], runs: undefined },
};

describe.each(TUI_AGENTS.filter(({ name }) => name in KINDS))('connection to $name', ({ name, needs, open }) => {
	const cannot = cannotRun([needs, program('git')]);
	const kind = KINDS[name];

	it.skipIf(cannot)(
		'accepts prompts, reports its state, continues after an interrupt and exits when closed',
		{ timeout: 120_000 },
		async () => {
			await using rig = await open(({ lastUserText, toolResults }) => {
				if (lastUserText.includes('slowly')) return hang();
				return message(lastUserText.includes('act') && toolResults.length === 0 && kind ? [kind.sleep] : [say('fine')]);
			});
			await using live = start(rig, kind?.more(rig.model) ?? []);
			const { connection, child } = live;
			expect(await connection.getState()).toEqual({ status: 'idle' });
			await connection.sendPrompt('hello');
			await received(rig, 'hello');
			await until(connection, 'idle');
			await connection.followUp('slowly, please');
			await received(rig, 'slowly, please');
			await until(connection, 'working');
			await connection.abort();
			await until(connection, 'idle');
			await connection.followUp('and again');
			const request = await received(rig, 'and again');
			expect(['hello', 'slowly, please'].filter((text) => !JSON.stringify(request.body).includes(text))).toEqual([]);
			await until(connection, 'idle');
			await connection.followUp('act');
			await received(rig, 'act');
			if (kind?.runs !== undefined) {
				const at = { deadlineMs: DEADLINE_MS, what: 'its tool' };
				await waitFor(async () => ((await connection.getState()).currentTool === kind.runs ? true : undefined), at);
				await connection.abort();
			}
			await until(connection, 'idle');
			expect(existsSync(join(rig.worktree, 'made'))).toBe(false);
			connection.close();
			connection.close();
			await expect(connection.sendPrompt('more')).rejects.toThrow();
			child.stdin?.end();
			await ended(child);
			expect(rig.requests.some(({ lastUserText }) => lastUserText.includes('more'))).toBe(false);
		},
	);

	it.skipIf(cannot)('reports an error state if the process dies in the middle of a turn', { timeout: 120_000 }, async () => {
		await using rig = await open(() => hang());
		await using live = start(rig, kind?.more(rig.model) ?? []);
		const { connection, child } = live;
		await connection.sendPrompt('hello');
		await received(rig, 'hello');
		child.kill('SIGKILL');
		await endProcessesWithEnv(rig.env.HOME ?? '');
		await until(connection, 'error');
		await expect(connection.followUp('more')).rejects.toThrow();
	});
});

/** Disposing ends it with everything it started. */
function start(rig: TuiRig, more: readonly string[]) {
	const { adapter, env, worktree: cwd } = rig;
	const argv = [...(adapter.traits.connects?.argv ?? []), ...more];
	const child = spawn(adapter.program, argv, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
	// It may exit before it has read its input.
	child.stdin.on('error', () => {});
	const stdout: ReadableStream<Uint8Array> = Readable.toWeb(child.stdout);
	const connection = adapter.connect?.({ stdin: { write: (text) => Number(child.stdin.write(text)) }, stdout, cwd });
	if (!connection) throw new Error(`${adapter.title} cannot be connected to`);
	return {
		connection,
		child,
		async [Symbol.asyncDispose]() {
			connection.close();
			child.stdin.destroy();
			child.kill('SIGKILL');
			await ended(child);
		},
	};
}

async function ended(child: ChildProcess): Promise<void> {
	if (child.exitCode === null && child.signalCode === null)
		await once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
}

async function received({ requests }: TuiRig, text: string) {
	return await waitFor(() => requests.find(({ lastUserText }) => lastUserText.includes(text)), {
		deadlineMs: DEADLINE_MS,
		what: `the model to be asked: ${text}`,
	});
}

async function until(connection: RuntimeConnection, status: ConnectionState['status']): Promise<void> {
	await waitFor(async () => ((await connection.getState()).status === status ? true : undefined), {
		deadlineMs: DEADLINE_MS,
		what: `it to be ${status}`,
		seen: async () => JSON.stringify(await connection.getState()),
	});
}
