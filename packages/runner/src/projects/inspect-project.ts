// The details of a project folder, read without running programs that its repository configures.
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { kindWith } from '@roost/agents/kinds';
import { statLink } from '@roost/machine/foreign-file';
import type { Git } from '@roost/machine/git';
import { filtersIn, parseSettings } from '@roost/machine/git-settings';

type InspectedProject = GitFacts & { name: string; hasClaudeConfig: boolean; lastActivity: number; problem?: string };

const CONFIG_FOLDER = kindWith('past').past.projectFolder;

type GitFacts = { gitRemote?: string; gitBranch?: string; isDirty: boolean };

/** Throws if the folder is gone or not accessible. */
export async function inspectProject(
	path: string,
	git: Git,
	mustBeOpen: (folder: string) => Promise<void>,
): Promise<InspectedProject> {
	const folder = await stat(path);
	await mustBeOpen(path);
	const [repository, config, head] = await Promise.all(
		['.git', CONFIG_FOLDER, '.git/logs/HEAD'].map((name) => statLink(join(path, name))),
	);
	const found: { facts: GitFacts; problem?: string } = repository ? await readGit(path, git) : { facts: { isDirty: false } };
	return {
		name: basename(path) || path,
		...found.facts,
		hasClaudeConfig: config?.isDirectory() === true,
		lastActivity: Math.round(Math.max(folder.mtimeMs, head?.mtimeMs ?? 0)),
		...(found.problem === undefined ? {} : { problem: found.problem }),
	};
}

/**
 * Comparing a file with its committed version runs filters of the repository, so they are listed and emptied first.
 * Attributes cannot be disabled instead: older gits lack the option, and `info/attributes` ignores it.
 */
async function readGit(path: string, git: Git): Promise<{ facts: GitFacts; problem?: string }> {
	const config = await git(path, ['config', '-z', '--list']);
	if (!config.ok) return { facts: { isDirty: false }, problem: config.error.message };
	const settings = parseSettings(config.value);
	const remote = settings.find(([key]) => key === 'remote.origin.url')?.[1];
	const shown = remote && toShownRemote(remote);
	const gitRemote = shown ? { gitRemote: shown } : {};
	const status = await git(path, STATUS, { unused: filtersIn(settings) });
	if (status.ok) return { facts: { ...gitRemote, ...parseStatus(status.value) } };
	// Too many changes to list.
	if (status.error.code === 'too_large') return { facts: { ...gitRemote, isDirty: true } };
	return { facts: { ...gitRemote, isDirty: false }, problem: status.error.message };
}

/** Without submodules, which have their own configuration. */
const STATUS = 'status --porcelain=v2 --branch --untracked-files=normal --ignore-submodules=all --no-renames -z'.split(' ');

function parseStatus(listed: string): { gitBranch?: string; isDirty: boolean } {
	const entries = listed.split('\0').filter((entry) => entry !== '');
	const head = entries.find((entry) => entry.startsWith(BRANCH_HEAD))?.slice(BRANCH_HEAD.length);
	const isDirty = entries.some((entry) => !entry.startsWith('# '));
	return head === undefined || head === '(detached)' ? { isDirty } : { gitBranch: head, isDirty };
}

const BRANCH_HEAD = '# branch.head ';

/** Removes credentials. The user in `git@host:path` is not a secret; in a URL it may be a token. */
export function toShownRemote(remote: string): string {
	const url = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(remote);
	if (!url) return remote.includes('://') ? '' : withoutPassword(remote);
	const [, scheme = '', authority = '', rest = ''] = url;
	const host = authority.slice(authority.lastIndexOf('@') + 1);
	const user = authority.slice(0, authority.length - host.length - 1);
	const kept = scheme.toLowerCase().includes('ssh') && /^[a-z0-9._-]+$/i.test(user) ? `${user}@` : '';
	return `${scheme}${kept}${host}${rest.replace(/[?#].*$/s, '')}`;
}

/** `user:secret@host:path` is not valid for git, but may be pasted. */
function withoutPassword(remote: string): string {
	const at = remote.lastIndexOf('@');
	const user = remote.slice(0, Math.max(0, at));
	return /[:/]/.test(user) && !/^[./~]/.test(remote) ? remote.slice(at + 1) : remote;
}
