// Hooks in the user's settings of an agent, which run in every folder and report only for installed projects; and the files of an installation.
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toPinnedArgv } from '@roost/core/process/loader-variables';
import { isTracked } from '@roost/machine/git';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { quoteArgv } from '../base/argv.ts';
import { MARKER, STARTING, unifiedDiff } from './installed-hooks.ts';
import { readPlain, removeIfEmpty, replaceFile } from './settings-file.ts';

export type UserHooks = {
	folder(env: Environment): string;
	/** Plans only; nothing is written. */
	plan(place: UserHooksPlace, isWanted: boolean): Promise<Result<UserPlan>>;
};

/** Null for a missing file. */
export type FileEdit = {
	path: string;
	before: string | null;
	after: string | null;
	/** A backup for uninstalling, not shown. */
	isBackup?: boolean;
};

/** Changes only. */
type UserPlan = { edits: readonly FileEdit[]; summary: string };

type Environment = Readonly<Record<string, string | undefined>>;

export type UserHooksPlace = {
	folder: string;
	forwarder: { node: string; script: string };
	socketPath: string;
	secretsDir: string;
	startFile: string;
};

/** From a variable, else in the user's home. */
export function agentFolder(env: Environment, variable: string, ...inHome: readonly string[]): string {
	return env[variable] || join(env.HOME ?? '/', ...inHome);
}

export function toHookCommand({ forwarder, socketPath, secretsDir, startFile }: UserHooksPlace, agent: string, event: string) {
	const start = STARTING.includes(event) ? ['--start', startFile] : [];
	const flags = [MARKER, '--agent', agent, '--socket', socketPath, '--secrets', secretsDir, ...start];
	return quoteArgv(toPinnedArgv([forwarder.node, forwarder.script, event, ...flags]));
}

/** A file that only Roost writes. */
async function planOwnFile(path: string, text: string | null): Promise<Result<FileEdit[]>> {
	const before = await readPlain(path);
	if (!before.ok) return before;
	if (before.value !== null && !before.value.includes(MARKER))
		return err(new AppError('conflict', `${path} was not written by Roost. Rename it and retry`));
	return await checkEdits([{ path, before: before.value, after: text }]);
}

export function ownFileHooks(own: {
	agent: string;
	folder: UserHooks['folder'];
	path: readonly string[];
	toText(place: UserHooksPlace): string;
	/** The beginning of a sentence. */
	adds: string;
}): UserHooks {
	return {
		folder: own.folder,
		async plan(place, isWanted) {
			const there = isWanted ? await checkAgentFolder(place.folder, own.agent) : ok(undefined);
			if (!there.ok) return there;
			const path = join(place.folder, ...own.path);
			const edits = await planOwnFile(path, isWanted ? own.toText(place) : null);
			return edits.ok ? ok({ edits: edits.value, summary: `${own.adds} in ${path}` }) : edits;
		},
	};
}

/** Changes only, and never in a file that is tracked by git. */
export async function checkEdits(edits: readonly FileEdit[]): Promise<Result<FileEdit[]>> {
	const changed = edits.filter(({ before, after }) => before !== after);
	for (const { path, before } of changed)
		if (before !== null && (await isTracked(dirname(path), basename(path))))
			return err(new AppError('conflict', `${path} is tracked by git and was left as it is`));
	return ok(changed);
}

/** The agent creates it at its first start. */
export async function checkAgentFolder(folder: string, agent: string): Promise<Result<void>> {
	const found = await stat(folder).catch(() => null);
	if (found?.isDirectory()) return ok(undefined);
	return err(new AppError('not_found', `${folder} not found. Start "${agent}" once, then retry.`));
}

export type HookInstall = {
	/** The changed file of a project; null where files of the user apply to every project. */
	readonly projectFile: string | null;
	open(place: HookFilesPlace): HookFiles;
};

export type HookFilesPlace = Omit<UserHooksPlace, 'folder'> & {
	project: string;
	/** Exists while installed. */
	secretFile: string;
	env: NodeJS.ProcessEnv;
};

export type HookFiles = {
	/** Plans only; nothing is written. */
	plan(isWanted: boolean): Promise<Result<HooksPlan>>;
	status(): Promise<Result<InstalledStatus>>;
};

export type HooksPlan = {
	changed: boolean;
	/** The beginning of a sentence. */
	summary: string;
	diff: string;
	apply(): Promise<Result<Applied>>;
};

export type Applied = { warnings: string[] };

export type InstalledStatus = { state: 'none' | 'installed' } | { state: 'drifted'; drifts: string[] };

export function userHookInstall(hooks: UserHooks): HookInstall {
	return { projectFile: null, open: (place) => openUserFiles(hooks, place) };
}

function openUserFiles(hooks: UserHooks, given: HookFilesPlace): HookFiles {
	const folder = hooks.folder(given.env);
	const place = { ...given, folder };
	return {
		async plan(isWanted) {
			const plan = await hooks.plan(place, isWanted);
			if (!plan.ok) return plan;
			const { edits, summary } = plan.value;
			return ok({
				changed: edits.length > 0,
				summary,
				diff: edits
					.filter(({ isBackup }) => !isBackup)
					.map(({ path, before, after }) => unifiedDiff(path, before, after))
					.join(''),
				async apply() {
					const applied = await applyFileEdits(folder, edits);
					return applied.ok ? ok({ warnings: [] }) : applied;
				},
			});
		},
		async status() {
			const plan = await hooks.plan(place, true);
			if (!plan.ok) return plan;
			const drifts = plan.value.edits.map(({ path }) => `${path} is not as this version installs it`);
			return ok(drifts.length === 0 ? { state: 'installed' } : { state: 'drifted', drifts });
		},
	};
}

/** `folder` stays; an empty folder below it is removed. */
async function applyFileEdits(folder: string, edits: readonly FileEdit[]): Promise<Result<void>> {
	for (const { path, before } of edits) {
		const current = await readPlain(path);
		if (!current.ok) return current;
		if (current.value !== before) return err(new AppError('conflict', `${path} changed in the meantime; retry`));
	}
	const done: FileEdit[] = [];
	for (const edit of edits) {
		const written = await write(folder, edit.path, edit.after);
		if (!written.ok) {
			for (const { path, before } of done) await write(folder, path, before);
			return written;
		}
		done.push(edit);
	}
	return ok(undefined);
}

async function write(folder: string, path: string, text: string | null): Promise<Result<void>> {
	try {
		await replaceFile(path, text);
		if (text === null && dirname(path) !== folder) await removeIfEmpty(dirname(path));
		return ok(undefined);
	} catch (cause) {
		return err(new AppError('cannot_start', `cannot write ${path}`, { cause }));
	}
}
