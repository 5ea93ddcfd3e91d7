// A file of settings that only this user can read: it may hold a secret, or decide what an agent may do.
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { ensurePrivateDir } from './private-dir.ts';

/** Writes `<dir>/<name>`, readable by this user only; a reader never sees half a file. Returns its path. */
export async function writePrivateJson(dir: string, content: object, name: string): Promise<Result<string>> {
	return writePrivateFile(dir, JSON.stringify(content, null, '\t'), name);
}

/** The same for what is no JSON. */
export async function writePrivateFile(dir: string, text: string, name: string): Promise<Result<string>> {
	if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name))
		return err(new AppError('usage', `not a name for a file of settings: ${JSON.stringify(name)}`));
	const safe = ensurePrivateDir(dir);
	if (!safe.ok) return safe;
	const path = join(safe.value, name);
	const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
	try {
		await writeNew(draft, text);
		await rename(draft, path);
		return ok(path);
	} catch (cause) {
		await rm(draft, { force: true });
		return err(new AppError('cannot_start', `cannot write ${path}`, { cause }));
	}
}

async function writeNew(path: string, text: string): Promise<void> {
	await using file = await open(path, 'wx', 0o600);
	// Whatever the umask took away or left.
	await file.chmod(0o600);
	await file.writeFile(text);
}
