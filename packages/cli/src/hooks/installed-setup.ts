// Installs, uninstalls and checks the hooks of one agent in one project: its files, its secret and its entry in Roost's home.
import { existsSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { AgentId } from '@roost/agents/base/agent-names';
import { digestOf } from '@roost/agents/hooks/hook-targets';
import { hookSocketPath } from '@roost/agents/hooks/socket-listener';
import { type RunnerStart, runnerStart } from '@roost/agents/hooks/start-runner';
import {
	ensureProjectSecret,
	projectSecretPath,
	readProjectSecret,
	removeProjectSecret,
} from '@roost/agents/install/project-secret';
import type { Applied, HookFiles, HookInstall, HooksPlan, InstalledStatus } from '@roost/agents/install/user-hooks';
import { findKind } from '@roost/agents/kinds';
import { programFile } from '@roost/core/process/program-files';
import { runnerEnvironment } from '@roost/core/runtime/child-environment';
import { ensureHome, type Home, logPath, resolveHome } from '@roost/home/home';
import {
	createInstalledProjects,
	type InstalledProject,
	type InstalledProjects,
	installedDir,
} from '@roost/home/installed-projects';
import { findProject } from '@roost/home/project';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type HooksSetup = {
	/** Main worktree: the hooks report from every worktree of the repository. */
	readonly project: string;
	/** The project file that is changed; null if files of the user are. */
	readonly projectFile: string | null;
	/** Nothing is written yet. */
	planInstall(): Promise<Result<HooksPlan>>;
	install(plan: HooksPlan): Promise<Result<Applied>>;
	planUninstall(): Promise<Result<HooksPlan>>;
	uninstall(plan: HooksPlan): Promise<Result<Applied>>;
	/** Whether hooks are installed in this project, changed or not. */
	isInstalled(): boolean;
	status(): Promise<Result<InstalledStatus>>;
};

type HooksSetupOptions = {
	agent: AgentId;
	env: NodeJS.ProcessEnv;
	cwd: string;
	/** Starts a runner that ends when it is idle. */
	runner: RunnerArgv;
};

export async function openHooksSetup(options: HooksSetupOptions): Promise<Result<HooksSetup>> {
	const home = resolveHome(options.env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const socketPath = hookSocketPath(home.value.run, 'hooks');
	if (!socketPath.ok) return socketPath;
	const { agent, env } = options;
	const install = findKind(agent)?.observed?.hooks;
	if (!install) return err(new AppError('usage', `${agent} has no hooks that could be installed.`));
	const project = { ...(await findProject(options.cwd)), agent };
	const dir = installedDir(home.value);
	const secretFile = projectSecretPath(dir, project.path, agent);
	const files = install.open({
		project: project.path,
		env,
		forwarder: { node: process.execPath, script: programFile('forwarder') },
		socketPath: socketPath.value,
		secretFile,
		secretsDir: dir,
		startFile: startFilePath(home.value),
	});
	const projects = createInstalledProjects(dir);
	return ok(createHooksSetup({ ...options, home: home.value, project, dir, secretFile, install, files, projects }));
}

type Place = HooksSetupOptions & {
	home: Home;
	project: InstalledProject;
	dir: string;
	secretFile: string;
	install: HookInstall;
	files: HookFiles;
	projects: InstalledProjects;
};

function createHooksSetup(place: Place): HooksSetup {
	const { files, agent } = place;
	const { projectFile } = place.install;
	const project = place.project.path;
	const isInstalled = () => existsSync(place.secretFile);
	/** Files of the user serve every project. */
	const areNeededElsewhere = () =>
		projectFile === null && place.projects.list().some((other) => other.agent === agent && other.path !== project);
	return {
		project,
		projectFile,
		isInstalled,
		planInstall: () => files.plan(true),
		/** The secret first, so that hooks are never without one. */
		async install(plan) {
			const isNew = place.projects.list().every((other) => other.path !== project || other.agent !== agent);
			const remembered = await remember(place);
			const applied = remembered.ok ? await plan.apply() : remembered;
			if (!applied.ok && isNew) await forget(place);
			return applied;
		},
		planUninstall: async () => (areNeededElsewhere() ? ok(NO_CHANGE) : await files.plan(false)),
		/** The files first, so that hooks are never without a secret. */
		async uninstall(plan) {
			const applied = await plan.apply();
			if (applied.ok) await forget(place);
			return applied;
		},
		async status() {
			if (projectFile === null && !isInstalled()) return ok({ state: 'none' });
			const status = await files.status();
			if (!status.ok || status.value.state === 'none') return status;
			const drifts = [...(status.value.state === 'drifted' ? status.value.drifts : []), ...(await homeDrifts(place))];
			return ok(drifts.length === 0 ? { state: 'installed' } : { state: 'drifted', drifts });
		},
	};
}

const NO_CHANGE: HooksPlan = { changed: false, summary: '', diff: '', apply: async () => ok({ warnings: [] }) };

async function remember({ dir, project, projects, home, runner, env }: Place): Promise<Result<void>> {
	const secret = await ensureProjectSecret(dir, project.path, project.agent);
	if (!secret.ok) return secret;
	const added = projects.add(digestOf(secret.value.secret), project);
	return added.ok ? writeStartFile(home, runner, env) : added;
}

async function forget({ dir, project, projects, home }: Place): Promise<void> {
	projects.remove(project);
	await removeProjectSecret(dir, project.path, project.agent);
	if (projects.list().length === 0) rmSync(startFilePath(home), { force: true });
}

/** Problems in Roost's home: the project must be registered, and the start of a runner described. */
async function homeDrifts({ dir, project, projects, home }: Place): Promise<string[]> {
	const secret = await readProjectSecret(dir, project.path, project.agent);
	if (!secret.ok) return [secret.error.message];
	if (secret.value === null) return [];
	const known = projects.find(digestOf(secret.value));
	const isKnown = known?.path === project.path && known.agent === project.agent;
	const start = findStartProblem(home);
	return [...(isKnown ? [] : [`${dir} does not list this project, so no report is accepted`]), ...(start ? [start] : [])];
}

export type RunnerArgv = readonly [string, ...string[]];

export function startFilePath(home: Pick<Home, 'data'>): string {
	return join(installedDir(home), 'start.json');
}

export function writeStartFile(home: Pick<Home, 'data'>, argv: RunnerArgv, env: NodeJS.ProcessEnv): Result<void> {
	const start: RunnerStart = {
		argv: [...argv],
		env: keptEnvironment(env),
		cwd: home.data,
		log: logPath(home),
	};
	return replacePrivateFile(startFilePath(home), `${JSON.stringify(start)}\n`);
}

/** Null if it would start a runner. */
export function findStartProblem(home: Pick<Home, 'data'>): string | null {
	const path = startFilePath(home);
	const start = runnerStart.safeParse(readPrivateJson(path)).data;
	if (!start) return `${path} is missing or unreadable, so that no runner is started when a session begins`;
	const gone = start.argv.find((part) => isAbsolute(part) && !existsSync(part));
	return gone === undefined ? null : `${gone}, which starts the runner, no longer exists`;
}

const KEPT = /^(HOME|PATH|SHELL|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|ROOST_[A-Z_]+)$/;

function keptEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
	const kept = Object.entries(runnerEnvironment(env)).flatMap(([name, value]) =>
		value !== undefined && KEPT.test(name) ? [[name, value] as const] : [],
	);
	return Object.fromEntries(kept);
}
