// Installing, uninstalling and checking the hooks of one project: its settings, its secret and its place among the installed.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Applied, applySettingsEdit } from '@roost/agents/claude/install/apply-install';
import { buildInstalledHooks, type InstalledHooks } from '@roost/agents/claude/install/installed-hooks';
import { type InstalledStatus, readInstalledStatus } from '@roost/agents/claude/install/installed-status';
import { planInstall, planUninstall, type SettingsEdit } from '@roost/agents/claude/install/plan-install';
import {
	ensureProjectSecret,
	projectSecretPath,
	readProjectSecret,
	removeProjectSecret,
} from '@roost/agents/claude/install/project-secret';
import { readSettings } from '@roost/agents/claude/install/read-settings';
import { digestOf } from '@roost/agents/hooks/hook-targets';
import { hookSocketPath } from '@roost/agents/hooks/socket-path';
import { ok, type Result } from '@roost/protocol/result';
import { ensureHome, type Home, resolveHome } from '../home.ts';
import { findProject } from '../project.ts';
import { createInstalledProjects, type InstalledProject, type InstalledProjects, installedDir } from './installed-projects.ts';
import { findStartProblem, type RunnerArgv, startFilePath, writeStartFile } from './installed-start.ts';

export type HooksSetup = {
	/** Its main worktree: claude reads the settings there from every directory and worktree of the repository. */
	readonly project: string;
	/** What installing would make of the settings; nothing is written. */
	planInstall(): Promise<Result<SettingsEdit>>;
	install(edit: SettingsEdit): Promise<Result<Applied>>;
	planUninstall(): Promise<Result<SettingsEdit>>;
	uninstall(edit: SettingsEdit): Promise<Result<Applied>>;
	status(): Promise<Result<InstalledStatus>>;
};

export type HooksSetupOptions = {
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
	const project = await findProject(options.cwd);
	const dir = installedDir(home.value);
	const secretFile = projectSecretPath(dir, project.path);
	const hooks = buildInstalledHooks({
		forwarder: { node: process.execPath, script: fileURLToPath(import.meta.resolve('@roost/agents/hooks/forwarder')) },
		socketPath: socketPath.value,
		secretFile,
		startFile: startFilePath(home.value),
	});
	return ok(
		createHooksSetup({ ...options, home: home.value, project, dir, secretFile, hooks, projects: createInstalledProjects(dir) }),
	);
}

type Place = HooksSetupOptions & {
	home: Home;
	project: InstalledProject;
	dir: string;
	secretFile: string;
	hooks: InstalledHooks;
	projects: InstalledProjects;
};

function createHooksSetup(place: Place): HooksSetup {
	const { hooks, secretFile } = place;
	const project = place.project.path;
	return {
		project,
		async planInstall() {
			const texts = await readSettings(project);
			return texts.ok ? planInstall(texts.value, hooks) : texts;
		},
		/** The secret first: the entries never stand there without one. */
		async install(edit) {
			const isNew = place.projects.list().every(({ path }) => path !== project);
			const remembered = await remember(place);
			const applied = remembered.ok ? await applySettingsEdit(project, edit) : remembered;
			if (!applied.ok && isNew) await forget(place);
			return applied;
		},
		async planUninstall() {
			const texts = await readSettings(project);
			return texts.ok ? planUninstall(texts.value) : texts;
		},
		/** The settings first: while entries stand there, they have their secret. */
		async uninstall(edit) {
			const applied = await applySettingsEdit(project, edit);
			if (applied.ok) await forget(place);
			return applied;
		},
		async status() {
			const status = await readInstalledStatus({ project, hooks, secretFile });
			if (!status.ok || status.value.state === 'none') return status;
			const drifts = [...(status.value.state === 'drifted' ? status.value.drifts : []), ...(await homeDrifts(place))];
			return ok(drifts.length === 0 ? { state: 'installed' } : { state: 'drifted', drifts });
		},
	};
}

async function remember({ dir, project, projects, home, runner, env }: Place): Promise<Result<void>> {
	const secret = await ensureProjectSecret(dir, project.path);
	if (!secret.ok) return secret;
	const added = projects.add(digestOf(secret.value.secret), project);
	return added.ok ? writeStartFile(home, runner, env) : added;
}

async function forget({ dir, project, projects, home }: Place): Promise<void> {
	projects.remove(project.path);
	await removeProjectSecret(dir, project.path);
	if (projects.list().length === 0) rmSync(startFilePath(home), { force: true });
}

/** What is wrong in Roost's own home: there the project must be known by its secret, and the start of a runner described. */
async function homeDrifts({ dir, project, projects, home }: Place): Promise<string[]> {
	const secret = await readProjectSecret(dir, project.path);
	if (!secret.ok) return [secret.error.message];
	if (secret.value === null) return [];
	const isKnown = projects.find(digestOf(secret.value))?.path === project.path;
	const start = findStartProblem(home);
	return [...(isKnown ? [] : [`${dir} does not list this project, so no report is accepted`]), ...(start ? [start] : [])];
}
