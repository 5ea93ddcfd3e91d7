// The projects for the API: the last scan, new scans, and past sessions.
import { kindWith } from '@roost/agents/kinds';
import { createExclusion } from '@roost/core/projects/excluded';
import { createRedactor } from '@roost/core/redaction/redact';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { Home } from '@roost/home/home';
import { findProject } from '@roost/home/project';
import { mustBeOpen, unlessHidden } from '@roost/machine/foreign-file';
import { runGit } from '@roost/machine/git';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { sha256 } from '@roost/machine/sha256';
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
import { summariseTranscript } from '../engine/summaries.ts';
import type { Projects } from '../record/projects.ts';
import {
	createPastEvents,
	createPastPlaces,
	createPastSessions,
	type ListPastSessions,
	type PastEvents,
	type PastPlaces,
	type PlacedTranscript,
} from './past-sessions.ts';
import { type Scanned, type ScanOptions, scanProjects } from './scan-projects.ts';

type Resumable = Pick<PastSession, 'agent' | 'nativeId' | 'cwd' | 'title'>;

export type ProjectCatalog = {
	list(): ProjectList;
	/** Starts a scan unless one runs; returns its progress. */
	scan(): ProjectList;
	pastSessions(id: FoundProjectId): Promise<Result<PastSessionList>>;
	/** The feed of a past session; nothing is recorded. */
	pastEvents(id: FoundProjectId, nativeId: string, page: { after: number; limit: number }): Promise<Result<PastEventsPage>>;
};

export type OpenProjectCatalog = ProjectCatalog &
	AsyncDisposable & {
		/** Fails if the transcript or its folder is gone. */
		findResumable(nativeId: string): Promise<Result<Resumable>>;
	};

export function createProjectCatalog(deps: {
	/** Keeps the last scan for the next runner. */
	file: string;
	scan: (options: ScanOptions) => Promise<Scanned>;
	pastPlaces: () => Promise<PastPlaces>;
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
	let running: Promise<void> = Promise.resolve();
	const closing = new AbortController();

	async function runScan(): Promise<void> {
		const onProgress = (done: number, total: number) => {
			scanning = { done, total };
		};
		try {
			const scanned = await deps.scan({ onProgress, signal: closing.signal });
			homes = new Map(scanned.homes);
			known = { scannedAt: deps.now(), projects: scanned.projects, problems: scanned.problems };
			const kept = replacePrivateFile(deps.file, `${JSON.stringify(known)}\n`);
			if (!kept.ok) deps.warn(`The project scan could not be saved: ${kept.error.message}`);
		} catch (cause) {
			if (!closing.signal.aborted)
				deps.warn(`The project scan failed: ${cause instanceof Error ? cause.message : String(cause)}`);
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

	/** Past sessions are searched each time; the project of a folder is remembered. */
	async function transcriptsIn(project: string): Promise<readonly PlacedTranscript[]> {
		const { placed } = await deps.pastPlaces();
		const mine: PlacedTranscript[] = [];
		for (const transcript of placed) if ((await homeOf(transcript.cwd)) === project) mine.push(transcript);
		return mine;
	}

	async function homeOf(cwd: string): Promise<string | undefined> {
		const remembered = homes.get(cwd);
		if (remembered !== undefined) return remembered;
		const home = await unlessHidden(deps.projectOf(cwd));
		if (home !== null) homes.set(cwd, home);
		return home ?? undefined;
	}

	return {
		list,
		scan() {
			if (!scanning) {
				scanning = { done: 0, total: 0 };
				running = runScan();
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
			return file ? await deps.pastEvents.read(file, page) : err(new AppError('not_found', NO_PAST_SESSION));
		},
		async findResumable(nativeId) {
			const { placed } = await deps.pastPlaces();
			const { sessions } = await deps.listPastSessions(placed.filter((transcript) => transcript.nativeId === nativeId));
			const found = sessions.find(({ resumable }) => resumable);
			if (!found) return err(new AppError('not_found', NOT_RESUMABLE));
			const { agent, cwd, title } = found;
			return ok({ agent, nativeId, cwd, title });
		},
		async [Symbol.asyncDispose]() {
			closing.abort();
			await running;
			await deps.pastEvents[Symbol.asyncDispose]();
		},
	};
}

const NOT_RESUMABLE = 'This past session cannot be resumed: its transcript or its folder is gone.';
const NO_PAST_SESSION = 'Past session not found. GET /api/v1/projects/<id>/sessions lists them.';

const LARGEST_BYTES = 64 * 1024 * 1024;

const keptProjects = z.object({
	scannedAt: z.number(),
	projects: z.array(foundProject),
	problems: z.array(projectProblem),
});
type KeptProjects = z.infer<typeof keptProjects>;

/** Null if there is no readable file: the next scan writes it. */
function readProjects(path: string, identify: Projects['identify']): KeptProjects | null {
	const kept = keptProjects.safeParse(readPrivateJson(path, LARGEST_BYTES)).data;
	// In files of older versions the path was the ID.
	const projects = kept?.projects.map((project) => ({ ...project, projectId: identify(project.path).id }));
	return kept && projects ? { ...kept, projects } : null;
}

export function openProjects(deps: {
	home: Pick<Home, 'projects'>;
	config: Pick<RunnerConfig, 'projects'>;
	env: NodeJS.ProcessEnv;
	identify: Projects['identify'];
	warn: (sentence: string) => void;
}): OpenProjectCatalog {
	const { home, config, env, identify, warn } = deps;
	const { roots, scanClaudeProjects, excludePatterns } = config.projects;
	const redactor = createRedactor(sha256);
	const { known, past } = kindWith('past');
	const nothing = async () => ({ placed: [], problems: [] });
	const pastPlaces = scanClaudeProjects ? createPastPlaces(known.id, past, env) : nothing;
	const scanning = { roots, isExcluded: createExclusion(excludePatterns), pastPlaces, git: runGit, mustBeOpen, identify };
	return createProjectCatalog({
		file: home.projects,
		scan: (options) => scanProjects(scanning, options),
		pastPlaces,
		projectOf: async (folder) => (await findProject(folder)).path,
		identify,
		listPastSessions: createPastSessions(past, redactor),
		pastEvents: createPastEvents({ redactor, summarise: summariseTranscript }),
		now: Date.now,
		warn,
	});
}
