// The real `claude` against a scripted model, with a home, a configuration and a repository of its own; nothing leaves loopback.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeAnthropic, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import type { Script } from '../fakes/script.ts';
import { findClaudeBinary } from './claude-binary.ts';
import { createGitRepository } from './git-repository.ts';
import { endProcessesWithEnv } from './live-processes.ts';
import { type Exit, type Program, startProgram } from './program.ts';
import { createTempDir } from './temp-dir.ts';

export type ClaudeRig = AsyncDisposable & {
	readonly model: FakeAnthropic;
	/** The `claude` program itself. */
	readonly binary: string;
	readonly home: string;
	readonly configDir: string;
	/** A git repository with one commit, trusted by Claude. */
	readonly project: string;
	/** The whole environment of the child. */
	readonly env: Readonly<Record<string, string>>;
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

const apiKey = 'dummy-key-00000';

export async function createClaudeRig({ script }: { readonly script: Script }): Promise<ClaudeRig> {
	const found = findClaudeBinary();
	if (!found.found) throw new Error(found.whatToDo);
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	// Claude gives the commands it runs process groups of their own, so ending its group is not enough.
	stack.defer(() => endProcessesWithEnv(temp.path));
	const model = stack.use(await startFakeAnthropic(script));
	const paths = {
		home: join(temp.path, 'home'),
		configDir: join(temp.path, 'config'),
		project: join(temp.path, 'project'),
		tmp: join(temp.path, 'tmp'),
	};
	await Promise.all(Object.values(paths).map((path) => mkdir(path, { mode: 0o700 })));
	await seedConfig(paths.configDir, paths.project);
	const env = claudeEnv(paths, model.url);
	await createGitRepository(paths.project, env);

	let files = 0;
	const programs = stack.use(new AsyncDisposableStack());
	const writeSettings = async (settings: unknown): Promise<string> => {
		files += 1;
		const path = join(temp.path, `settings-${files}.json`);
		await writeFile(path, JSON.stringify(settings), { mode: 0o600 });
		return path;
	};
	const start = async (args: readonly string[], options: SpawnOptions = {}): Promise<Program> => {
		const flags = options.settings === undefined ? [] : ['--settings', await writeSettings(options.settings)];
		const { input, cwd = paths.project } = options;
		return programs.use(
			await startProgram([found.path, ...flags, ...args], {
				cwd,
				env: { ...env, ...options.env },
				...(input === undefined ? {} : { input }),
			}),
		);
	};
	const owned = stack.move();
	return {
		model,
		binary: found.path,
		home: paths.home,
		configDir: paths.configDir,
		project: paths.project,
		env,
		writeSettings,
		spawn: start,
		async run(args, options) {
			await using program = await start(args, options);
			return await program.waitForExit(options.timeoutMs);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

type Paths = { readonly home: string; readonly configDir: string; readonly tmp: string };

/** From an allow-list: nothing of the caller's home, keys or Claude settings may reach the child. */
function claudeEnv({ home, configDir, tmp }: Paths, modelUrl: string): Readonly<Record<string, string>> {
	const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ'].flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(kept),
		TERM: 'xterm-256color',
		SHELL: '/bin/sh',
		HOME: home,
		TMPDIR: tmp,
		CLAUDE_CONFIG_DIR: configDir,
		ANTHROPIC_BASE_URL: modelUrl,
		ANTHROPIC_API_KEY: apiKey,
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		DISABLE_AUTOUPDATER: '1',
		DISABLE_ERROR_REPORTING: '1',
		DISABLE_TELEMETRY: '1',
	};
}

/** Answers the first-run questions beforehand: onboarding, the key, trust in the project. */
async function seedConfig(configDir: string, project: string): Promise<void> {
	const config = {
		hasCompletedOnboarding: true,
		customApiKeyResponses: { approved: [apiKey] },
		projects: { [project]: { hasTrustDialogAccepted: true } },
	};
	await writeFile(join(configDir, '.claude.json'), JSON.stringify(config), { mode: 0o600 });
}
