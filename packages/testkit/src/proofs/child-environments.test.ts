// Every program that Roost starts: which of Roost's variables it gets, and that its PATH is the user's.
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fireEntry } from '@roost/agents/claude/hooks/probe';
import { createClaudeProcess } from '@roost/agents/claude/sdk/spawn-claude';
import { startRunner } from '@roost/agents/hooks/start-runner';
import { checkGit } from '@roost/cli/doctor/check-machine';
import { startFilePath, writeStartFile } from '@roost/cli/hooks/installed-setup';
import { type LaunchOptions, launchObserved } from '@roost/cli/launch/launch-observed';
import { startDetached } from '@roost/cli/runner/start-detached';
import { createCopy } from '@roost/cli/tui/screen/clipboard';
import type { ApiClient } from '@roost/client/api-client';
import { ensureHome, resolveHome } from '@roost/home/home';
import { installedDir } from '@roost/home/installed-projects';
import { createAgentEnvironments } from '@roost/home/programs/agent-programs';
import { type AgentRuns, type AgentRunsDeps, createAgentRuns } from '@roost/home/programs/agent-runs';
import { isTracked, runGit } from '@roost/machine/git';
import { startLineProcess } from '@roost/machine/line-process';
import { openFile } from '@roost/machine/open-file';
import { openPty } from '@roost/machine/open-pty';
import { runProgram } from '@roost/machine/run-program';
import { realTimers } from '@roost/machine/timers';
import { findTmux, tmuxEnv } from '@roost/machine/tmux/run-tmux';
import { attachClient } from '@roost/machine/tmux/tmux-view';
import { sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { commandEnvironment, createTerminalRuns } from '@roost/runner/agents/open-agent-cli';
import { shellProgram } from '@roost/runner/terminals/tmux-terminals';
import { describe, expect, it } from 'vitest';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

/** Variables that a user may have set, and those of an agent that started Roost. */
const SET = {
	ROOST_AUTH_TOKEN: 'the-token-of-the-api-0123456789abcdef',
	ROOST_HUB_URL: 'https://hub.example.org',
	ROOST_HUB_TOKEN: 'of-the-hub',
	ROOST_PORT: '1',
	ROOST_HOST: '127.0.0.1',
	ROOST_GATE: 'observe',
	ROOST_HOOK_SECRET: 'of-another-launch',
	ROOST_HOOK_SOCKET: '/of/another',
	ROOST_HOOK_LATER: 'unknown yet',
	ROOST_SESSION: 'another',
	ROOST_AGENT_NAME: 'another',
	ROOST_SOMETHING_NEW: 'unknown yet',
};
const RUNNERS_OWN = Object.keys(SET).filter((name) => !/SESSION|HOOK|AGENT_NAME/.test(name));
const HOOKS = ['ROOST_HOOK_SECRET', 'ROOST_HOOK_SOCKET', 'ROOST_HOOK_GATE', 'ROOST_SESSION'];
const KINDS = ['claude', 'codex', 'copilot', 'pi'] as const;

/** `may`: the variables of Roost that the program may get, and no others. */
type Row = {
	may: readonly string[];
	/** If it is not the user's PATH: a system program that passes the environment on in another way. */
	path?: string | undefined;
	start(world: World): Promise<unknown>;
};

const driven = (start: (world: World, env: Record<string, string>) => Promise<unknown>): Row[] =>
	KINDS.map((kind) => ({
		may: ['ROOST_SESSION'],
		start: (world) => start(world, createAgentEnvironments(world.env, { [kind]: { env: SET } })(kind, 'k1')),
	}));

/** By the file that starts them. A file that starts programs without a row here fails the test below. */
const CHILDREN: Readonly<Record<string, readonly Row[] | string>> = {
	'agents/src/claude/sdk/spawn-claude.ts': driven(async ({ dump, root }, env) => {
		const claude = createClaudeProcess({ timers: realTimers });
		const child = claude.spawn({ command: dump, args: [], cwd: root, env, signal: AbortSignal.timeout(20_000) });
		await new Promise((resolve) => child.once('exit', resolve));
	}),
	'agents/src/example/parrot-program.ts': 'an agent itself: what it starts has the environment of a driven agent',
	'agents/src/hooks/start-runner.ts': [
		{
			may: [...RUNNERS_OWN, 'ROOST_HOME'],
			async start({ dump, env, home }) {
				await mkdir(installedDir(home), { mode: 0o700 });
				unwrap(writeStartFile(home, [dump], env));
				await startRunner(startFilePath(home), '/nowhere', 50);
			},
		},
	],
	'agents/src/pi/extension/guard-extension.ts': 'runs inside an agent, with the environment of that agent',
	'cli/src/tui/screen/clipboard.ts': [{ may: [], start: ({ env }) => copyInTmux('text', env) }],
	'machine/src/git.ts': [
		{ may: [], start: ({ root }) => runGit(root, ['status']) },
		{ may: [], start: ({ root }) => isTracked(root, 'x') },
	],
	'machine/src/line-process.ts': driven(
		({ dump, root }, env) =>
			new Promise((onEnd) => {
				startLineProcess({ argv: [dump], cwd: root, env, timers: realTimers, onLine() {}, onOversize() {}, onEnd });
			}),
	),
	'machine/src/open-file.ts': [{ may: [], start: ({ root, env }) => openFile(root, { ...env, DISPLAY: ':0' }, 'linux') }],
	'machine/src/open-pty.ts': [
		{
			may: [],
			start: async ({ dump, root, env }) => unwrap(openPty(shellProgram({ shell: dump, cwd: root, env }))),
		},
		{
			may: [],
			start: ({ dump, root, env }) => runCommand((deps) => createTerminalRuns({ ...deps, toLines: () => [] }), dump, root, env),
		},
	],
	'machine/src/process-table.ts': '/bin/ps with a fixed environment',
	'machine/src/run-program.ts': [
		// A guard proof, a hook fired by the doctor, and a command of an agent.
		...driven(({ dump, root }, env) => runProgram([dump], { cwd: root, env, limitMs: 20_000 }).ended),
		{
			may: ['ROOST_HOME', ...Object.keys(SET).filter((name) => !RUNNERS_OWN.includes(name))],
			start: ({ dump, env }) => fireEntry({ type: 'command', command: dump, args: [] }, { env, payload: {}, timeoutMs: 120_000 }),
		},
		{ may: [], start: ({ dump, root, env }) => runCommand(createAgentRuns, dump, root, env) },
	],
	'machine/src/tmux/run-tmux.ts': [{ may: [], path: tmuxEnv().PATH, start: ({ env }) => findTmux(env) }],
	'machine/src/tmux/tmux-view.ts': [
		{
			may: [],
			path: tmuxEnv().PATH,
			start: async ({ dump }) =>
				void attachClient({ file: dump, args: [], env: tmuxEnv() }, { cols: 80, rows: 24 }, { onBytes() {}, onEnd() {} }),
		},
	],
	'cli/src/doctor/check-machine.ts': [{ may: [], start: ({ env }) => checkGit(env) }],
	'cli/src/runner/start-detached.ts': [
		{ may: [...RUNNERS_OWN, 'ROOST_HOME'], start: ({ dump, env, home }) => startDetached({ home, argv: [dump], env }) },
	],
	'cli/src/launch/launch-observed.ts': KINDS.flatMap((kind) => [
		{ may: ['ROOST_HOME', ...HOOKS], start: (world) => launch(world, kind, ['-p', 'go']) },
		{ may: ['ROOST_HOME'], start: (world) => launch(world, kind, ['--version']) },
	]),
};

describe('environment of child processes', () => {
	it('is covered for every file that starts a program', () => {
		expect(filesThatStartPrograms()).toEqual(Object.keys(CHILDREN).toSorted());
	});

	it('is fixed for /bin/ps', () => {
		for (const [path, why] of Object.entries(CHILDREN)) {
			if (typeof why !== 'string' || !why.startsWith('/bin/ps')) continue;
			const calls = readFileSync(join(PACKAGES, path), 'utf8').match(/spawnSync\(.*\)/g) ?? [];
			expect(calls).toHaveLength(1);
			expect(calls[0]).toMatch(/^spawnSync\('\/bin\/ps', .*env(: \{ LC_ALL: 'C' \})?, encoding/);
		}
	});

	const rows = Object.entries(CHILDREN).flatMap(([path, found]) =>
		typeof found === 'string' ? [] : found.map((row, at) => ({ path, at, row })),
	);
	it.each(rows)('has only permitted Roost variables and the right PATH: $path ($at)', async ({ row }) => {
		await using world = await createWorld();
		await row.start(world);
		const names = await waitFor(world.names, { what: 'the environment of the program' });
		expect(names.filter((name) => name.startsWith('ROOST_') && !row.may.includes(name))).toEqual([]);
		const values = await waitFor(world.values, { what: 'its values' });
		if (!row.may.includes('ROOST_AUTH_TOKEN')) expect(values).not.toContain(SET.ROOST_AUTH_TOKEN);
		expect(values.split('\0')).toContain(`PATH=${row.path ?? world.env.PATH}`);
	});
});

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

/** By their imports, in any syntax. */
function filesThatStartPrograms(): string[] {
	const starts =
		/(?:from|import\(|getBuiltinModule\(|require\()\s*'(?:node:)?(?:child_process|cluster|@lydell\/node-pty|node-pty|execa)'/;
	const typeOnly = /^import type .*$/gm;
	return globSync('*/src/**/*.{ts,tsx,js,mjs}', { cwd: PACKAGES })
		.filter((path) => !path.startsWith('testkit/') && !/\.(test|contract)\.tsx?$/.test(path))
		.filter((path) => starts.test(readFileSync(join(PACKAGES, path), 'utf8').replace(typeOnly, '')))
		.toSorted();
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** A program that records its environment, also as `git`, `tmux` and `xdg-open`, and a process with all of Roost's variables. */
async function createWorld() {
	const temp = await createTempDir();
	const root = temp.path;
	const out = join(root, 'environment');
	const dump = join(root, 'dump');
	const script = `#!/bin/sh\n/usr/bin/env -0 > '${out}.part' && /bin/mv '${out}.part' '${out}'\n`;
	for (const name of ['dump', 'git', 'tmux', 'xdg-open']) {
		await writeFile(join(root, name), script);
		await chmod(join(root, name), 0o755);
	}
	const env = { PATH: `${root}:${process.env.PATH}`, HOME: root, ROOST_HOME: join(root, 'roost'), ...SET };
	const home = unwrap(resolveHome(env));
	unwrap(ensureHome(home));
	const before = { ...process.env };
	Object.assign(process.env, env);
	const read = (): string | undefined => {
		try {
			return readFileSync(out, 'utf8');
		} catch {
			// Not written yet.
			return undefined;
		}
	};
	return {
		root,
		dump,
		env,
		home,
		names: () =>
			read()
				?.split('\0')
				.map((entry) => entry.split('=', 1)[0] ?? ''),
		values: read,
		async [Symbol.asyncDispose]() {
			for (const name of Object.keys(process.env)) delete process.env[name];
			Object.assign(process.env, before);
			await temp[Symbol.asyncDispose]();
		},
	};
}

async function runCommand(create: (deps: AgentRunsDeps) => AgentRuns, dump: string, cwd: string, env: NodeJS.ProcessEnv) {
	const runs = create({ name: 'x', find: () => ok([dump]), env: () => commandEnvironment(env, SET), timers: realTimers });
	await runs.run({ args: [], cwd, limitMs: 20_000 });
}

/** The real launch of an agent with a configured program, and a runner that accepts everything. */
async function launch({ root, dump, env }: World, kind: (typeof KINDS)[number], args: readonly string[]) {
	const config = { agents: { [kind]: { command: [dump], env: { ROOST_HUB_TOKEN: 'configured' } } } };
	await mkdir(join(root, '.config', 'roost'), { recursive: true });
	for (const path of [join(root, '.config', 'roost'), join(root, 'roost')])
		await writeFile(join(path, 'config.yaml'), JSON.stringify(config));
	const hooks = { httpUrl: 'http://127.0.0.1:1/hook', socketPath: '/nowhere', secret: 'own-secret' };
	const id = sessionId.parse('own');
	const api: Pick<ApiClient['launches'], 'open' | 'end'> = {
		open: async () => ok({ launchId: 'l1', sessionId: id, hooks }),
		end: async () => ok({ sessionId: null }),
	};
	const options: LaunchOptions = {
		args,
		env,
		cwd: root,
		enforce: false,
		reach: async () => ok(api as ApiClient['launches']),
		watch: () => ({ [Symbol.asyncDispose]: async () => {} }),
		say: () => {},
	};
	unwrap(await launchObserved(kind, options));
}

function copyInTmux(text: string, env: NodeJS.ProcessEnv): Promise<string> {
	return createCopy({ write() {}, env: { ...env, TMUX: 'yes' } })(text);
}
