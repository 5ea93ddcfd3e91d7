// Files that make an agent report wherever it is started: a project's settings, or the user's.
import { dirname } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { readPlain, removeIfEmpty, replaceFile } from './settings-file.ts';
import { unifiedDiff } from './unified-diff.ts';
import type { FileEdit, UserHooks, UserHooksPlace } from './user-hooks.ts';

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
