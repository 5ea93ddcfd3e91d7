// Projects as the API sees them: what is known now, a new look on demand, and the past sessions of each.
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { unlessHidden } from '@roost/machine/stat-path';
import {
	type FoundProject,
	type FoundProjectId,
	foundProject,
	type PastEventsPage,
	type PastSession,
	type PastSessionList,
	type ProjectList,
	projectProblem,
} from '@roost/protocol/api/projects';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Projects } from '../record/projects.ts';
import type { PastEvents } from './past-events.ts';
import type { ListPastSessions, PastPlaces, PlacedTranscript } from './past-sessions.ts';
import type { Scanned, ScanOptions } from './scan-projects.ts';

/** What is needed to go on with a session that Roost never saw. */
type Resumable = Pick<PastSession, 'agent' | 'nativeId' | 'cwd' | 'title'>;

export type ProjectCatalog = {
	/** As they were found last. */
	list(): ProjectList;
	/** Begins a new scan unless one runs, and says how far it is. */
	scan(): ProjectList;
	pastSessions(id: FoundProjectId): Promise<Result<PastSessionList>>;
	/** A past session as a feed, read and not recorded. */
	pastEvents(id: FoundProjectId, nativeId: string, page: { after: number; limit: number }): Promise<Result<PastEventsPage>>;
};

export type OpenProjectCatalog = ProjectCatalog &
	AsyncDisposable & {
		/** Refuses one that is not there, or whose folder is gone. */
		findResumable(nativeId: string): Promise<Result<Resumable>>;
	};

export function createProjectCatalog(deps: {
	/** Where the projects are kept for the next runner. */
	file: string;
	scan: (options: ScanOptions) => Promise<Scanned>;
	pastPlaces: () => Promise<PastPlaces>;
	/** The path of the project that a folder belongs to. */
	projectOf: (folder: string) => Promise<string>;
	identify: Projects['identify'];
	listPastSessions: ListPastSessions;
	pastEvents: PastEvents;
	now: () => number;
	warn: (sentence: string) => void;
}): OpenProjectCatalog {
	let known: KeptProjects | null = readProjects(deps.file, deps.identify);
	let homes = new Map<string, string>();
	let scanning: { done: number; total: number } | null = null;
	let looking: Promise<void> = Promise.resolve();
	const closing = new AbortController();

	async function statLink(): Promise<void> {
		const onProgress = (done: number, total: number) => {
			scanning = { done, total };
		};
		try {
			const scanned = await deps.scan({ onProgress, signal: closing.signal });
			homes = new Map(scanned.homes);
			known = { scannedAt: deps.now(), projects: scanned.projects, problems: scanned.problems };
			const kept = keepProjects(deps.file, known);
			if (!kept.ok) deps.warn(`The projects that were found are not kept: ${kept.error.message}`);
		} catch (cause) {
			if (!closing.signal.aborted)
				deps.warn(`Looking for projects failed: ${cause instanceof Error ? cause.message : String(cause)}`);
		} finally {
			scanning = null;
		}
	}

	const list = (): ProjectList => ({
		projects: known?.projects ?? [],
		problems: known?.problems ?? [],
		scannedAt: known?.scannedAt ?? null,
		scanning,
	});

	function find(id: FoundProjectId): Result<FoundProject> {
		const found = known?.projects.find((project) => project.id === id);
		if (found) return ok(found);
		return err(new AppError('not_found', 'Project not found. GET /api/v1/projects lists projects.'));
	}

	/** Sessions come and go between two looks at the projects, so they are looked for each time; folders stay where they are. */
	async function transcriptsIn(project: string): Promise<readonly PlacedTranscript[]> {
		const { placed } = await deps.pastPlaces();
		const mine: PlacedTranscript[] = [];
		for (const transcript of placed) if ((await homeOf(transcript.cwd)) === project) mine.push(transcript);
		return mine;
	}

	async function homeOf(cwd: string): Promise<string | undefined> {
		const remembered = homes.get(cwd);
		if (remembered !== undefined) return remembered;
		// A folder that is gone belongs to no project any more.
		const home = await unlessHidden(deps.projectOf(cwd));
		if (home !== null) homes.set(cwd, home);
		return home ?? undefined;
	}

	return {
		list,
		scan() {
			if (!scanning) {
				scanning = { done: 0, total: 0 };
				looking = statLink();
			}
			return list();
		},
		async pastSessions(id) {
			const project = find(id);
			return project.ok ? ok(await deps.listPastSessions(await transcriptsIn(project.value.path))) : project;
		},
		async pastEvents(id, nativeId, page) {
			const project = find(id);
			if (!project.ok) return project;
			const file = (await transcriptsIn(project.value.path)).find((transcript) => transcript.nativeId === nativeId);
			return file ? await deps.pastEvents.read(file, page) : err(noPastSession());
		},
		async findResumable(nativeId) {
			const { placed } = await deps.pastPlaces();
			const { sessions } = await deps.listPastSessions(placed.filter((transcript) => transcript.nativeId === nativeId));
			const found = sessions.find(({ resumable }) => resumable);
			if (!found) return err(notResumable());
			const { agent, cwd, title } = found;
			return ok({ agent, nativeId, cwd, title });
		},
		async [Symbol.asyncDispose]() {
			closing.abort();
			await looking;
			await deps.pastEvents[Symbol.asyncDispose]();
		},
	};
}

function notResumable(): AppError {
	return new AppError('not_found', 'This past session cannot be resumed: its transcript or its folder is gone.');
}

function noPastSession(): AppError {
	return new AppError('not_found', 'Past session not found. GET /api/v1/projects/<id>/sessions lists them.');
}

const LARGEST_BYTES = 64 * 1024 * 1024;

const keptProjects = z.object({
	scannedAt: z.number(),
	projects: z.array(foundProject),
	problems: z.array(projectProblem),
});
type KeptProjects = z.infer<typeof keptProjects>;

function keepProjects(path: string, kept: KeptProjects): Result<void> {
	return replacePrivateFile(path, `${JSON.stringify(kept)}\n`);
}

/** Null where there is none that can be read: the next scan makes it anew. */
function readProjects(path: string, identify: Projects['identify']): KeptProjects | null {
	const kept = keptProjects.safeParse(readPrivateJson(path, LARGEST_BYTES)).data;
	// The file may be of an older Roost, where the path was the id.
	const projects = kept?.projects.map((project) => ({ ...project, projectId: identify(project.path).id }));
	return kept && projects ? { ...kept, projects } : null;
}
