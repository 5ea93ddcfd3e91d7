// The real `claude` against a scripted model, with a home, a configuration and a repository of its own; nothing leaves loopback.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeAnthropic, startFakeAnthropic } from '../../fakes/anthropic-server.ts';
import type { Script } from '../../fakes/script.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { type Exit, type Program, startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { findClaudeBinary } from './claude-binary.ts';
import { type ClaudeHome, createClaudeHome } from './claude-home.ts';

export type ClaudeRig = AsyncDisposable &
	ClaudeHome & {
		readonly model: FakeAnthropic;
		/** The `claude` program itself. */
		readonly binary: string;
		/** Writes a settings file for `--settings` that only we can read; returns its path. */
		writeSettings(settings: unknown): Promise<string>;
		/** Runs `claude` to its end; fails, with what it wrote, when the time is up. */
		run(args: readonly string[], options: RunOptions): Promise<Exit>;
		/** Starts `claude` and leaves it running until it ends, is killed, or the rig is disposed. */
		spawn(args: readonly string[], options?: SpawnOptions): Promise<Program>;
	};

export type SpawnOptions = {
	/** Given to `--settings` as a file. */
	readonly settings?: unknown;
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string;
	readonly cwd?: string;
};

export type RunOptions = SpawnOptions & { readonly timeoutMs: number };

export async function createClaudeRig({ script }: { readonly script: Script }): Promise<ClaudeRig> {
	const found = findClaudeBinary();
	if (!found.found) throw new Error(found.whatToDo);
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	// Claude gives the commands it runs process groups of their own, so ending its group is not enough.
	stack.defer(() => endProcessesWithEnv(temp.path));
	const model = stack.use(await startFakeAnthropic(script));
	const home = await createClaudeHome(temp.path, model.url);
	const programs = stack.use(new AsyncDisposableStack());
	const writeSettings = async (settings: unknown): Promise<string> => {
		const path = join(temp.path, `settings-${randomUUID()}.json`);
		await writeFile(path, JSON.stringify(settings), { mode: 0o600 });
		return path;
	};
	const start = async (
		args: readonly string[],
		{ settings, input = '', cwd = home.project, env }: SpawnOptions = {},
	): Promise<Program> => {
		const flags = settings === undefined ? [] : ['--settings', await writeSettings(settings)];
		return programs.use(await startProgram([found.path, ...flags, ...args], { cwd, env: { ...home.env, ...env }, input }));
	};
	const owned = stack.move();
	return {
		...home,
		model,
		binary: found.path,
		writeSettings,
		spawn: start,
		async run(args, options) {
			await using program = await start(args, options);
			return await program.waitForExit(options.timeoutMs);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
