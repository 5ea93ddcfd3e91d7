// Scans for projects: finds folders, their projects, and the details of each.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { IsExcluded } from '@roost/core/projects/excluded';
import { findProject } from '@roost/home/project';
import { hasCode } from '@roost/machine/error-code';
import { statLink, statTarget } from '@roost/machine/foreign-file';
import type { Git } from '@roost/machine/git';
import { sha256 } from '@roost/machine/sha256';
import { type FoundProject, foundProjectId, type ProjectProblem } from '@roost/protocol/api/projects';
import type { Projects } from '../record/projects.ts';
import { atMost } from './at-most.ts';
import { inspectProject } from './inspect-project.ts';
import type { PastPlaces, PlacedTranscript } from './past-sessions.ts';

/** Parallel git processes: leaves the machine usable. */
export const GIT_AT_ONCE = 8;
const MOST_PROBLEMS = 500;

export type ScanDeps = {
	roots: readonly string[];
	isExcluded: IsExcluded;
	pastPlaces: () => Promise<PastPlaces>;
	git: Git;
	/** Throws if a folder is not accessible. */
	mustBeOpen: (folder: string) => Promise<void>;
	identify: Projects['identify'];
};

export type Scanned = {
	projects: FoundProject[];
	problems: ProjectProblem[];
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

/** Folders and worktrees of one repository are one project. */
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
	return Map.groupBy(placed, ({ cwd }) => homes.get(cwd));
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

/** The direct children of a root, and the root itself if it is a repository. A hidden child must be a repository. */
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
	const found = await statTarget(path);
	if (!found?.isDirectory()) return null;
	return !name.startsWith('.') || (await isRepository(path)) ? path : null;
}

async function isRepository(path: string): Promise<boolean> {
	return (await statLink(join(path, '.git'))) !== null;
}

async function visitedFolder(path: string, isExcluded: IsExcluded): Promise<FoundFolders> {
	if (isExcluded({ name: basename(path), path })) return { folders: [], problems: [] };
	try {
		if ((await stat(path)).isDirectory()) return { folders: [path], problems: [] };
		return { folders: [], problems: [{ path, message: 'A session worked in this folder, which is now a file.' }] };
	} catch (cause) {
		return { folders: [], problems: [{ path, message: whyUnread(cause) }] };
	}
}

function whyUnread(cause: unknown): string {
	if (hasCode(cause, 'ENOENT')) return 'This folder does not exist.';
	if (hasCode(cause, 'ENOTDIR')) return 'This is not a folder.';
	if (hasCode(cause, 'EACCES', 'EPERM')) return 'Permission denied.';
	return `This folder cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
}
