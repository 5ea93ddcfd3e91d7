// Carries out a planned edit of a project's settings: whole or not at all, through no link, with the first original kept.
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { findManagedGroups } from './installed-hooks.ts';
import { parseSettings } from './parse-settings.ts';
import type { SettingsEdit } from './plan-install.ts';
import { isMissing, readSettings } from './read-settings.ts';
import { BACKUP_FILE, SETTINGS_DIR, SETTINGS_FILE, SETTINGS_PATH } from './settings-path.ts';
import { isOpenToGit, isTrackedByGit } from './tracked-by-git.ts';

/** One sentence per warning, for the user. */
export type Applied = { warnings: string[] };

/** For installing and uninstalling alike; refuses when the file is no longer what was planned from. */
export async function applySettingsEdit(project: string, edit: SettingsEdit): Promise<Result<Applied>> {
	const texts = await readSettings(project);
	if (!texts.ok) return texts;
	if (texts.value.current !== edit.before)
		return err(new AppError('conflict', `${SETTINGS_PATH} changed in the meantime and was left as it is; try again`));
	if (edit.before === edit.after) return ok({ warnings: [] });
	const { original } = texts.value;
	try {
		if (original === null && isOriginal(edit.before)) await writeWhole(backupPath(project), edit.before, 0o600);
		await replaceSettings(project, edit.after);
		if (edit.after !== null && edit.after === original) await rm(backupPath(project));
	} catch (cause) {
		return err(new AppError('cannot_start', `cannot write ${join(project, SETTINGS_PATH)}`, { cause }));
	}
	return ok({ warnings: await warningsFor(project, edit.after) });
}

function backupPath(project: string): string {
	return join(project, SETTINGS_DIR, BACKUP_FILE);
}

/** What holds entries of ours already is no original. */
function isOriginal(text: string | null): text is string {
	const settings = parseSettings(text ?? '');
	return settings.ok && Object.keys(findManagedGroups(settings.value)).length === 0;
}

async function replaceSettings(project: string, text: string | null): Promise<void> {
	const path = join(project, SETTINGS_DIR, SETTINGS_FILE);
	if (text === null) {
		await rm(path);
		await removeIfEmpty(dirname(path));
	} else await writeWhole(path, text, await modeOf(path));
}

/** Installing may have made it. */
async function removeIfEmpty(folder: string): Promise<void> {
	try {
		await rmdir(folder);
	} catch (error) {
		if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
	}
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
	return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}

async function modeOf(path: string): Promise<number> {
	try {
		return (await lstat(path)).mode & 0o777;
	} catch (error) {
		if (!isMissing(error)) throw error;
		return 0o600;
	}
}

/** A reader never sees half a file; a link planted at the path is replaced, not followed. */
async function writeWhole(path: string, text: string, mode: number): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
	try {
		await writeNew(draft, text, mode);
		await rename(draft, path);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
	await using file = await open(path, 'wx', mode);
	// Whatever the umask took away or left.
	await file.chmod(mode);
	await file.writeFile(text);
	await file.sync();
}

async function warningsFor(project: string, text: string | null): Promise<string[]> {
	const why = 'its entries hold only for this machine';
	if (await isTrackedByGit(project, SETTINGS_PATH))
		return [`${SETTINGS_PATH} is tracked by git: do not commit this change, ${why}`];
	if (text === null || isOriginal(text) || !(await isOpenToGit(project, SETTINGS_PATH))) return [];
	return [`${SETTINGS_PATH} is not ignored by git: add it to .git/info/exclude, ${why}`];
}
