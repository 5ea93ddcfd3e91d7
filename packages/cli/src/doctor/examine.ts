// roost doctor: runs every check in turn; a check that throws becomes a finding.
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@roost/home/config/load-config';
import { type Home, resolveHome } from '@roost/home/home';
import { createInstalledProjects, installedDir } from '@roost/home/installed-projects';
import { readRunnerFile } from '@roost/home/runner-file';
import type { RunnerArgv } from '../hooks/installed-setup.ts';
import { checkAgents } from './check-agents.ts';
import { checkConfig, checkHome, checkPermissions, checkRecord } from './check-home.ts';
import { checkHooks } from './check-hooks.ts';
import { checkClock, checkDisk, checkGit, checkNode, checkTmux } from './check-machine.ts';
import { checkRunner, createReachRunner } from './check-runner.ts';
import { type Finding, fail, type Outcome } from './finding.ts';
import { probeGate } from './probe-gate.ts';

type DoctorOptions = {
	env: NodeJS.ProcessEnv;
	cwd: string;
	/** Starts a runner for the probe if none is up. */
	runner: RunnerArgv;
};

type Check = { name: string; run: () => Outcome[] | Promise<Outcome[]> };

/** `onCheck` is called before each check. */
export async function* examine(options: DoctorOptions, onCheck: (name: string) => void): AsyncGenerator<Finding> {
	const home = resolveHome(options.env);
	if (!home.ok) {
		yield { check: 'home', ...fail(home.error.message, 'Set ROOST_HOME to an absolute path, or unset it.') };
		return;
	}
	const unusable = checkHome(home.value);
	for (const message of unusable) yield { check: 'home', ...message };
	if (unusable.length > 0) return;
	for (const { name, run } of checksFor(options, home.value)) {
		onCheck(name);
		for (const message of await runSafely(run)) yield { check: name, ...message };
	}
}

async function runSafely(run: Check['run']): Promise<Outcome[]> {
	try {
		return await run();
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		return [fail(`it could not be checked: ${why}`, 'Fix the problem named above, then run "roost doctor" again.')];
	}
}

/** Permissions come first: later checks open the home, which would fix its permissions unnoticed. */
function checksFor({ env, cwd, runner }: DoctorOptions, home: Home): Check[] {
	const reach = createReachRunner(env, runner);
	const projects = createInstalledProjects(installedDir(home));
	const config = loadConfig({ env });
	const askRunner = async () => {
		const reached = await reach({ start: false });
		const listed = reached.ok ? await reached.value?.agents.list() : undefined;
		return listed?.ok ? listed.value : null;
	};
	return [
		{ name: 'permissions', run: () => checkPermissions(home) },
		{ name: 'node', run: () => checkNode(process.versions.node) },
		{ name: 'disk', run: () => checkDisk(home.data) },
		{ name: 'clock', run: async () => checkClock(await readClock(env, home)) },
		{ name: 'git', run: () => checkGit(env) },
		{ name: 'tmux', run: () => checkTmux(env, config.ok && config.value.pty.useTmux) },
		{ name: 'agents', run: () => (config.ok ? checkAgents(env, config.value, home, askRunner) : []) },
		{ name: 'config', run: () => checkConfig(env) },
		{ name: 'record', run: async () => (await checkRecord(env, home)).messages },
		{ name: 'runner', run: () => checkRunner(home, () => reach({ start: false })) },
		{ name: 'hooks', run: () => checkHooks({ env, cwd, runner, home, projects }) },
		{
			name: 'gate',
			async run() {
				const reached = await reach({ start: true });
				if (reached.ok && reached.value)
					return await probeGate({ env, home, launches: reached.value.launches, record: reached.value.record });
				const why = reached.ok ? 'none came up' : reached.error.message;
				return [fail(`it could not be tried without a runner: ${why}`, 'Fix the problem named above, then run this again.')];
			},
		},
	];
}

async function readClock(env: NodeJS.ProcessEnv, home: Home) {
	const running = readRunnerFile(home);
	const { lastEventAt } = await checkRecord(env, home);
	return {
		now: Date.now(),
		expected: performance.timeOrigin + performance.now(),
		past: [
			{ what: 'this Roost was built', at: statSync(fileURLToPath(import.meta.url)).mtimeMs },
			...(running.ok && running.value ? [{ what: 'the runner started', at: running.value.startedAt }] : []),
			...(lastEventAt === undefined ? [] : [{ what: 'the last event on record', at: lastEventAt }]),
		],
	};
}
