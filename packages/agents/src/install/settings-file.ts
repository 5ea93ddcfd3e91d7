// Reads and replaces settings files: without following links, and only text that survives an edit.
import { constants } from 'node:fs';
import { lstat, mkdir, open, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { replaceFile as replaceWith } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBoundedJson } from '../hooks/bounded-json.ts';
import type { SettingsTexts } from './installed-hooks.ts';

const MAX_BYTES = 1024 * 1024;

export async function readSettings(project: string): Promise<Result<SettingsTexts>> {
	const safe = await checkSettingsDir(project);
	if (!safe.ok) return safe;
	const dir = join(project, SETTINGS_DIR);
	const [current, original] = await Promise.all([readPlain(join(dir, SETTINGS_FILE)), readPlain(join(dir, BACKUP_FILE))]);
	if (!current.ok) return current;
	return original.ok ? ok({ current: current.value, original: original.value }) : original;
}

/** A link in its place would redirect writes. */
async function checkSettingsDir(project: string): Promise<Result<boolean>> {
	const path = join(project, SETTINGS_DIR);
	try {
		const stat = await lstat(path);
		return stat.isDirectory() ? ok(true) : err(unsafe(path, 'it is not a directory of its own'));
	} catch (cause) {
		return hasCode(cause, 'ENOENT') ? ok(false) : err(new AppError('unsafe_path', `cannot use ${path}`, { cause }));
	}
}

/** Null for a missing file. */
export async function readPlain(path: string): Promise<Result<string | null>> {
	try {
		// First, because opening a pipe would block.
		if (!(await lstat(path)).isFile()) return err(unsafe(path, 'it is a link or no regular file'));
		await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		if ((await file.stat()).size > MAX_BYTES) return err(new AppError('too_large', `${path} is larger than ${MAX_BYTES} bytes`));
		return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile()));
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return ok(null);
		if (cause instanceof TypeError) return err(new AppError('corrupt', `${path} was left as it is: it is not UTF-8`, { cause }));
		return err(new AppError('unsafe_path', `cannot read ${path}`, { cause }));
	}
}

function unsafe(path: string, why: string): AppError {
	return new AppError('unsafe_path', `${path} is not safe to use: ${why}`);
}

export const SETTINGS_DIR = '.claude';
const SETTINGS_FILE = 'settings.local.json';
export const BACKUP_FILE = `${SETTINGS_FILE}.roost-backup`;
export const SETTINGS_PATH = `${SETTINGS_DIR}/${SETTINGS_FILE}`;

export function parseSettings(text: string, path = SETTINGS_PATH): Result<JsonObject> {
	const parsed = parseBoundedJson(text);
	if (!parsed.ok) return err(new AppError('corrupt', `${path} was left as it is: ${parsed.error.message}; fix it and retry`));
	if (!isJsonObject(parsed.value))
		return err(new AppError('corrupt', `${path} was left as it is: it holds no JSON object; fix it and retry`));
	return ok(parsed.value);
}

/** Keeps its permissions; null removes it. */
export async function replaceFile(path: string, text: string | null): Promise<void> {
	if (text === null) await rm(path);
	else await writeWhole(path, text, await modeOf(path));
}

export async function removeIfEmpty(folder: string): Promise<void> {
	try {
		await rmdir(folder);
	} catch (error) {
		if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
	}
}

async function modeOf(path: string): Promise<number> {
	try {
		return (await lstat(path)).mode & 0o777;
	} catch (error) {
		if (!hasCode(error, 'ENOENT')) throw error;
		return 0o600;
	}
}

/** Atomic; a link at the path is replaced, not followed. */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const written = replaceWith(path, text, mode);
	if (!written.ok) throw written.error;
}
