// The secret for reports of installed hooks, one per agent and project, in a file of Roost's home.
import { randomBytes } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { createPrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { DEFAULT_AGENT } from '../base/agent-names.ts';
import { projectSecretName } from '../hooks/find-project-secret.ts';
import { readPlain } from './settings-file.ts';

export function projectSecretPath(dir: string, project: string, agent: string = DEFAULT_AGENT): string {
	return join(dir, projectSecretName(project, agent));
}

/** Created if missing; concurrent callers get the same. */
export async function ensureProjectSecret(
	dir: string,
	project: string,
	agent?: string,
): Promise<Result<{ path: string; secret: string }>> {
	const safe = ensurePrivateDirectory(dir);
	if (!safe.ok) return safe;
	const path = projectSecretPath(safe.value, project, agent);
	const made = createPrivateFile(path, randomBytes(32).toString('base64url'));
	if (!made.ok) return made;
	const secret = await readProjectSecret(dir, project, agent);
	if (!secret.ok) return secret;
	return secret.value === null
		? err(new AppError('conflict', `${path} was removed by another process. Retry`))
		: ok({ path, secret: secret.value });
}

/** Null where the project has none. Refuses links and files that others can read. */
export async function readProjectSecret(dir: string, project: string, agent?: string): Promise<Result<string | null>> {
	const path = projectSecretPath(dir, project, agent);
	const text = await readPlain(path);
	if (!text.ok || text.value === null) return text;
	const stat = await lstat(path).catch(() => null);
	if (!stat || (stat.mode & 0o077) !== 0 || stat.uid !== process.getuid?.())
		return err(new AppError('unsafe_path', `${path} is not private to this user: remove it and install again`));
	return text.value === '' ? err(new AppError('corrupt', `${path} is empty: remove it and install again`)) : text;
}

export async function removeProjectSecret(dir: string, project: string, agent?: string): Promise<void> {
	await rm(projectSecretPath(dir, project, agent), { force: true });
}
