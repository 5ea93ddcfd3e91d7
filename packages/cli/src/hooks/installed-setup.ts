// Installing, uninstalling and checking the hooks of one agent in one project: its files, its secret and its place among the installed.
import { existsSync, rmSync } from 'node:fs';
import type { AgentId } from '@roost/agents/base/agent-names';
import { digestOf } from '@roost/agents/hooks/hook-targets';
import { hookSocketPath } from '@roost/agents/hooks/socket-listener';
import {
	ensureProjectSecret,
	projectSecretPath,
	readProjectSecret,
	removeProjectSecret,
} from '@roost/agents/install/project-secret';
import type { Applied, HookFiles, HookInstall, HooksPlan, InstalledStatus } from '@roost/agents/install/user-hooks';
import { findKind } from '@roost/agents/kinds';
import { programFile } from '@roost/core/process/program-files';
import { ensureHome, type Home, resolveHome } from '@roost/home/home';
import {
	createInstalledProjects,
	type InstalledProject,
	type InstalledProjects,
	installedDir,
} from '@roost/home/installed-projects';
import { findProject } from '@roost/home/project';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { findStartProblem, type RunnerArgv, startFilePath, writeStartFile } from './installed-start.ts';

export type HooksSetup = {
	/** Its main worktree: the hooks report from every directory and worktree of the repository. */
	readonly project: string;
	/** The file of the project that is changed; null where files of the user's are. */
	readonly projectFile: string | null;
	/** What installing would write; nothing is written. */
	planInstall(): Promise<Result<HooksPlan>>;
	install(plan: HooksPlan): Promise<Result<Applied>>;
	planUninstall(): Promise<Result<HooksPlan>>;
	uninstall(plan: HooksPlan): Promise<Result<Applied>>;
	/** Whether its hooks are installed in this project, as they are or not. */
	isInstalled(): boolean;
	status(): Promise<Result<InstalledStatus>>;
};

export type HooksSetupOptions = {
	agent: AgentId;
	env: NodeJS.ProcessEnv;
	cwd: string;
	/** Starts a runner that ends when nobody needs it. */
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
	/** Files of the user's serve every project. */
	const areNeededElsewhere = () =>
		projectFile === null && place.projects.list().some((other) => other.agent === agent && other.path !== project);
	return {
		project,
		projectFile,
		isInstalled,
		planInstall: () => files.plan(true),
		/** The secret first: the hooks never stand there without one. */
		async install(plan) {
			const isNew = place.projects.list().every((other) => other.path !== project || other.agent !== agent);
			const remembered = await remember(place);
			const applied = remembered.ok ? await plan.apply() : remembered;
			if (!applied.ok && isNew) await forget(place);
			return applied;
		},
		planUninstall: async () => (areNeededElsewhere() ? ok(NO_CHANGE) : await files.plan(false)),
		/** The files first: while hooks stand there, they have their secret. */
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

/** What is wrong in Roost's own home: there the project must be known by its secret, and the start of a runner described. */
async function homeDrifts({ dir, project, projects, home }: Place): Promise<string[]> {
	const secret = await readProjectSecret(dir, project.path, project.agent);
	if (!secret.ok) return [secret.error.message];
	if (secret.value === null) return [];
	const known = projects.find(digestOf(secret.value));
	const isKnown = known?.path === project.path && known.agent === project.agent;
	const start = findStartProblem(home);
	return [...(isKnown ? [] : [`${dir} does not list this project, so no report is accepted`]), ...(start ? [start] : [])];
}
