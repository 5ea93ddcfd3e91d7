// Carries out a planned edit of a project's settings: whole or not at all, through no link, with the first original kept.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTracked, isUnignored } from '@roost/machine/git';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Applied } from '../../install/hook-files.ts';
import { findManagedGroups } from '../../install/installed-hooks.ts';
import { parseSettings } from '../../install/parse-settings.ts';
import type { SettingsEdit } from '../../install/plan-install.ts';
import { readSettings } from '../../install/read-settings.ts';
import { removeIfEmpty, replaceFile, writeWhole } from '../../install/replace-file.ts';
import { BACKUP_FILE, SETTINGS_DIR, SETTINGS_PATH } from '../../install/settings-path.ts';

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
		await replaceFile(join(project, SETTINGS_PATH), edit.after);
		if (edit.after === null) await removeIfEmpty(join(project, SETTINGS_DIR));
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

async function warningsFor(project: string, text: string | null): Promise<string[]> {
	const why = 'its entries hold only for this machine';
	if (await isTracked(project, SETTINGS_PATH)) return [`${SETTINGS_PATH} is tracked by git: do not commit this change, ${why}`];
	if (text === null || isOriginal(text) || !(await isUnignored(project, SETTINGS_PATH))) return [];
	return [`${SETTINGS_PATH} is not ignored by git: add it to .git/info/exclude, ${why}`];
}
