// Finds the project of a session for user-level hooks, which run in every folder and report only for installed projects.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export function projectSecretName(project: string, agent: string): string {
	const subject = agent === 'claude' ? project : `${agent}:${project}`;
	return `${createHash('sha256').update(subject).digest('hex').slice(0, 32)}.secret`;
}

/** The secret of the project that contains this folder, or of its main worktree; null where none is installed. */
export function findProjectSecret(dir: string, agent: string, cwd: string): string | null {
	const folders = upwards(realpathSync(cwd));
	for (const folder of [...folders, ...mainWorktrees(folders)]) {
		const secret = read(join(dir, projectSecretName(folder, agent)));
		if (secret) return secret.trim();
	}
	return null;
}

function upwards(folder: string): string[] {
	const above = dirname(folder);
	return above === folder ? [folder] : [folder, ...upwards(above)];
}

/** A checkout can claim to be a worktree of any repository; the runner verifies it there. */
function mainWorktrees(folders: readonly string[]): string[] {
	for (const folder of folders) {
		const named = /^gitdir: (.+?)[/\\]worktrees[/\\][^/\\]+\s*$/.exec(read(join(folder, '.git')) ?? '')?.[1];
		if (named === undefined) continue;
		const common = resolve(folder, named);
		return [basename(common) === '.git' ? dirname(common) : common];
	}
	return [];
}

function read(path: string): string | null {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return null;
	}
}
