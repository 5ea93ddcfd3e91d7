// One look at everything: finds the folders, the project that each belongs to, and what there is to say of it.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { IsExcluded } from '@roost/core/projects/excluded';
import { findProject } from '@roost/home/project';
import { hasCode } from '@roost/machine/error-code';
import type { Git } from '@roost/machine/git';
import { sha256 } from '@roost/machine/sha256';
import { statLink, statTarget } from '@roost/machine/stat-path';
import { type FoundProject, foundProjectId, type ProjectProblem } from '@roost/protocol/api/projects';
import type { Projects } from '../record/projects.ts';
import { atMost } from './at-most.ts';
import { inspectProject } from './inspect-project.ts';
import type { PastPlaces, PlacedTranscript } from './past-sessions.ts';

/** As many programs at once: enough to keep a machine busy, few enough to leave it usable. */
export const GIT_AT_ONCE = 8;
const MOST_PROBLEMS = 500;

export type ScanDeps = {
	roots: readonly string[];
	isExcluded: IsExcluded;
	pastPlaces: () => Promise<PastPlaces>;
	git: Git;
	/** Throws where a folder is closed to us. */
	mustBeOpen: (folder: string) => Promise<void>;
	identify: Projects['identify'];
};

export type Scanned = {
	projects: FoundProject[];
	problems: ProjectProblem[];
	/** The path of the project that each folder belongs to. */
	homes: ReadonlyMap<string, string>;
};

export type ScanOptions = { onProgress: (done: number, total: number) => void; signal: AbortSignal };

export async function scanProjects(deps: ScanDeps, { onProgress, signal }: ScanOptions): Promise<Scanned> {
	const { placed, problems } = await deps.pastPlaces();
	const folders = await findFolders(deps, placed, problems);
	onProgress(0, folders.length);
	const homes = await findHomes(deps, folders, problems, signal);
	const past = byProject(placed, homes);
	const paths = [...new Set(homes.values())];
	let done = 0;
	const projects = await atMost(
		GIT_AT_ONCE,
		paths,
		async (path) => {
			const found = await describe(deps, path, past.get(path) ?? [], problems);
			done += 1;
			onProgress(done, paths.length);
			return found;
		},
		signal,
	);
	return {
		projects: projects.filter((project) => project !== null).sort((a, b) => b.lastActivity - a.lastActivity),
		problems: problems.slice(0, MOST_PROBLEMS),
		homes,
	};
}

async function findFolders(deps: ScanDeps, placed: readonly PlacedTranscript[], problems: ProjectProblem[]): Promise<string[]> {
	const visited = [...new Set(placed.map(({ cwd }) => cwd))];
	const found = await Promise.all([
		atMost(GIT_AT_ONCE, deps.roots, (root) => foldersBelow(root, deps)),
		atMost(GIT_AT_ONCE, visited, (cwd) => visitedFolder(cwd, deps.isExcluded)),
	]);
	problems.push(...found.flat().flatMap((one) => one.problems));
	return [...new Set(found.flat().flatMap(({ folders }) => folders))];
}

/** Folders of one repository, its worktrees included, are one project. */
async function findHomes(
	{ git }: ScanDeps,
	folders: readonly string[],
	problems: ProjectProblem[],
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const homes = new Map<string, string>();
	const findOne = async (folder: string) => {
		try {
			homes.set(folder, (await findProject(folder, git)).path);
		} catch (cause) {
			problems.push({ path: folder, message: whyUnread(cause) });
		}
	};
	await atMost(GIT_AT_ONCE, folders, findOne, signal);
	return homes;
}

function byProject(placed: readonly PlacedTranscript[], homes: ReadonlyMap<string, string>) {
	const past = new Map<string, PlacedTranscript[]>();
	for (const transcript of placed) {
		const path = homes.get(transcript.cwd);
		if (path === undefined) continue;
		const known = past.get(path);
		if (known) known.push(transcript);
		else past.set(path, [transcript]);
	}
	return past;
}

async function describe(
	{ git, identify, isExcluded, mustBeOpen }: ScanDeps,
	path: string,
	past: readonly PlacedTranscript[],
	problems: ProjectProblem[],
): Promise<FoundProject | null> {
	if (isExcluded({ name: basename(path), path })) return null;
	try {
		const { problem, ...found } = await inspectProject(path, git, mustBeOpen);
		if (problem !== undefined) problems.push({ path, message: problem });
		const lastActivity = past.reduce((newest, { mtimeMs }) => Math.max(newest, Math.round(mtimeMs)), found.lastActivity);
		const projectId = identify(path).id;
		return {
			...found,
			id: foundProjectId.parse(sha256(path).slice(0, 16)),
			projectId,
			path,
			lastActivity,
			pastSessions: past.length,
		};
	} catch (cause) {
		problems.push({ path, message: whyUnread(cause) });
		return null;
	}
}

type FoundFolders = { folders: string[]; problems: ProjectProblem[] };

/**
 * The direct children of a root; the root itself where it is a repository. A hidden child counts only as a repository:
 * below a home directory the others are no projects.
 */
async function foldersBelow(
	root: string,
	{ isExcluded, mustBeOpen }: { isExcluded: IsExcluded; mustBeOpen: (folder: string) => Promise<void> },
): Promise<FoundFolders> {
	try {
		const top = await realpath(root);
		const names = await readdir(top);
		await mustBeOpen(top);
		const children = await Promise.all(names.map((name) => childFolder(top, name, isExcluded)));
		const itself = (await isRepository(top)) ? [top] : [];
		return { folders: [...itself, ...children.filter((child) => child !== null)], problems: [] };
	} catch (cause) {
		return { folders: [], problems: [{ path: root, message: whyUnread(cause) }] };
	}
}

async function childFolder(root: string, name: string, isExcluded: IsExcluded): Promise<string | null> {
	const path = join(root, name);
	if (isExcluded({ name, path })) return null;
	// A link that leads nowhere, or a child that went away just now, is no folder.
	const found = await statTarget(path);
	if (!found?.isDirectory()) return null;
	return !name.startsWith('.') || (await isRepository(path)) ? path : null;
}

/** The folder itself, not one above it. */
async function isRepository(path: string): Promise<boolean> {
	return (await statLink(join(path, '.git'))) !== null;
}

/** A folder that a transcript names. */
async function visitedFolder(path: string, isExcluded: IsExcluded): Promise<FoundFolders> {
	if (isExcluded({ name: basename(path), path })) return { folders: [], problems: [] };
	try {
		if ((await stat(path)).isDirectory()) return { folders: [path], problems: [] };
		return { folders: [], problems: [{ path, message: 'This is a file now, where a session worked in a folder.' }] };
	} catch (cause) {
		return { folders: [], problems: [{ path, message: whyUnread(cause) }] };
	}
}

function whyUnread(cause: unknown): string {
	if (hasCode(cause, 'ENOENT')) return 'This folder is gone.';
	if (hasCode(cause, 'ENOTDIR')) return 'This is not a folder.';
	if (hasCode(cause, 'EACCES', 'EPERM')) return 'This folder is not yours to read.';
	return `This folder cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
}
