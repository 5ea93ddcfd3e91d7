// One look at everything: finds the folders, the project that each belongs to, and what there is to say of it.
import { basename } from 'node:path';
import type { IsExcluded } from '@roost/core/projects/excluded';
import { findProject } from '@roost/home/project';
import type { Git } from '@roost/machine/git';
import { type FoundProject, foundProjectId, type ProjectProblem } from '@roost/protocol/api/projects';
import type { ProjectId } from '@roost/protocol/ids';
import { atMost } from './at-most.ts';
import { foldersBelow, visitedFolder, whyUnread } from './find-folders.ts';
import { inspectProject } from './inspect-project.ts';
import type { PastPlaces, PlacedTranscript } from './past-places.ts';

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
	/** Hexadecimal. */
	hash: (text: string) => string;
};

export type Scanned = {
	projects: FoundProject[];
	problems: ProjectProblem[];
	/** The project that each folder belongs to. */
	homes: ReadonlyMap<string, ProjectId>;
};

export type ScanOptions = { onProgress: (done: number, total: number) => void; signal: AbortSignal };

export async function scanProjects(deps: ScanDeps, { onProgress, signal }: ScanOptions): Promise<Scanned> {
	const { placed, problems } = await deps.pastPlaces();
	const folders = await findFolders(deps, placed, problems);
	onProgress(0, folders.length);
	const homes = await findHomes(deps, folders, problems, signal);
	const past = byProject(placed, homes);
	const ids = [...new Set(homes.values())];
	let done = 0;
	const projects = await atMost(
		GIT_AT_ONCE,
		ids,
		async (id) => {
			const found = await describe(deps, id, past.get(id) ?? [], problems);
			done += 1;
			onProgress(done, ids.length);
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
): Promise<Map<string, ProjectId>> {
	const homes = new Map<string, ProjectId>();
	const findOne = async (folder: string) => {
		try {
			homes.set(folder, (await findProject(folder, git)).id);
		} catch (cause) {
			problems.push({ path: folder, message: whyUnread(cause) });
		}
	};
	await atMost(GIT_AT_ONCE, folders, findOne, signal);
	return homes;
}

function byProject(placed: readonly PlacedTranscript[], homes: ReadonlyMap<string, ProjectId>) {
	const past = new Map<ProjectId, PlacedTranscript[]>();
	for (const transcript of placed) {
		const id = homes.get(transcript.cwd);
		if (id === undefined) continue;
		const known = past.get(id);
		if (known) known.push(transcript);
		else past.set(id, [transcript]);
	}
	return past;
}

async function describe(
	{ git, hash, isExcluded, mustBeOpen }: ScanDeps,
	id: ProjectId,
	past: readonly PlacedTranscript[],
	problems: ProjectProblem[],
): Promise<FoundProject | null> {
	if (isExcluded({ name: basename(id), path: id })) return null;
	try {
		const { problem, ...found } = await inspectProject(id, git, mustBeOpen);
		if (problem !== undefined) problems.push({ path: id, message: problem });
		const lastActivity = past.reduce((newest, { mtimeMs }) => Math.max(newest, Math.round(mtimeMs)), found.lastActivity);
		return { ...found, id: toFoundId(hash, id), projectId: id, path: id, lastActivity, pastSessions: past.length };
	} catch (cause) {
		problems.push({ path: id, message: whyUnread(cause) });
		return null;
	}
}

function toFoundId(hash: ScanDeps['hash'], path: string) {
	return foundProjectId.parse(hash(path).slice(0, 16));
}
