// What there is to say of one project's folder, read without running anything that its repository configures.
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { kindWith } from '@roost/agents/kinds';
import type { Git } from '@roost/machine/git';
import { statLink } from '@roost/machine/stat-path';

type InspectedProject = GitFacts & { name: string; hasClaudeConfig: boolean; lastActivity: number; problem?: string };

/** Of the agent whose past sessions a project shows. */
const CONFIG_FOLDER = kindWith('past').past.projectFolder;

type GitFacts = { gitRemote?: string; gitBranch?: string; isDirty: boolean };

/** Throws where the folder is gone or closed to us. */
export async function inspectProject(
	path: string,
	git: Git,
	mustBeOpen: (folder: string) => Promise<void>,
): Promise<InspectedProject> {
	const folder = await stat(path);
	await mustBeOpen(path);
	const [hasGit, hasClaudeConfig, committed] = await Promise.all([
		exists(join(path, '.git')),
		isFolder(join(path, CONFIG_FOLDER)),
		changedAt(join(path, '.git', 'logs', 'HEAD')),
	]);
	const found: { facts: GitFacts; problem?: string } = hasGit ? await readGit(path, git) : { facts: { isDirty: false } };
	return {
		name: basename(path) || path,
		...found.facts,
		hasClaudeConfig,
		lastActivity: Math.round(Math.max(folder.mtimeMs, committed)),
		...(found.problem === undefined ? {} : { problem: found.problem }),
	};
}

/**
 * Comparing a file with its committed form runs the filters that the repository names for it, so they are listed first and
 * each is emptied. Attributes cannot be turned off instead: older gits lack the option, and `info/attributes` ignores it.
 */
async function readGit(path: string, git: Git): Promise<{ facts: GitFacts; problem?: string }> {
	const config = await git(path, ['config', '-z', '--list']);
	if (!config.ok) return { facts: { isDirty: false }, problem: config.error.message };
	const settings = parseConfig(config.value);
	const remote = settings.find(([key]) => key === 'remote.origin.url')?.[1];
	const shown = remote && toShownRemote(remote);
	const gitRemote = shown ? { gitRemote: shown } : {};
	const status = await git(path, STATUS, { unused: filtersIn(settings) });
	if (status.ok) return { facts: { ...gitRemote, ...parseStatus(status.value) } };
	// So much has changed that the list of it was cut.
	if (status.error.code === 'too_large') return { facts: { ...gitRemote, isDirty: true } };
	return { facts: { ...gitRemote, isDirty: false }, problem: status.error.message };
}

/** Submodules are repositories of their own, with a configuration of their own. */
const STATUS = [
	'status',
	'--porcelain=v2',
	'--branch',
	'--untracked-files=normal',
	'--ignore-submodules=all',
	'--no-renames',
	'-z',
];

/** `key`, a newline, the value; a key alone means true. */
function parseConfig(listed: string): [string, string][] {
	return listed
		.split('\0')
		.filter((entry) => entry !== '')
		.map((entry) => {
			const end = entry.indexOf('\n');
			return end === -1 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)];
		});
}

function filtersIn(settings: readonly [string, string][]): string[] {
	return [...new Set(settings.flatMap(([key]) => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? []))];
}

function parseStatus(listed: string): { gitBranch?: string; isDirty: boolean } {
	const entries = listed.split('\0').filter((entry) => entry !== '');
	const head = entries.find((entry) => entry.startsWith(BRANCH_HEAD))?.slice(BRANCH_HEAD.length);
	const isDirty = entries.some((entry) => !entry.startsWith('# '));
	return head === undefined || head === '(detached)' ? { isDirty } : { gitBranch: head, isDirty };
}

const BRANCH_HEAD = '# branch.head ';

async function exists(path: string): Promise<boolean> {
	return (await statLink(path)) !== null;
}

async function isFolder(path: string): Promise<boolean> {
	return (await statLink(path))?.isDirectory() === true;
}

async function changedAt(path: string): Promise<number> {
	return (await statLink(path))?.mtimeMs ?? 0;
}

/** A name before a host in `git@host:path` is no secret and belongs to the address; in a URL it may be a token. */
export function toShownRemote(remote: string): string {
	const url = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(remote);
	if (!url) return remote.includes('://') ? '' : withoutPassword(remote);
	const [, scheme = '', authority = '', rest = ''] = url;
	const host = authority.slice(authority.lastIndexOf('@') + 1);
	const user = authority.slice(0, authority.length - host.length - 1);
	const kept = scheme.toLowerCase().includes('ssh') && /^[a-z0-9._-]+$/i.test(user) ? `${user}@` : '';
	return `${scheme}${kept}${host}${rest.replace(/[?#].*$/s, '')}`;
}

/** `user:secret@host:path` is no address that git knows, but people paste such things. */
function withoutPassword(remote: string): string {
	const at = remote.lastIndexOf('@');
	const user = remote.slice(0, Math.max(0, at));
	return /[:/]/.test(user) && !/^[./~]/.test(remote) ? remote.slice(at + 1) : remote;
}
