// The past sessions of a project, as a list shows them.
import type { PastTranscript, PastTranscripts, TranscriptFile } from '@roost/agents/base/transcripts';
import { toPreview } from '@roost/core/feed/title';
import type { Redactor } from '@roost/core/redaction/redact';
import { statTarget } from '@roost/machine/stat-path';
import type { PastSession, PastSessionList, ProjectProblem } from '@roost/protocol/api/projects';
import { ok, type Result } from '@roost/protocol/result';
import { atMost } from './at-most.ts';

const AT_ONCE = 4;
const MOST_REMEMBERED = 10_000;

export type ListPastSessions = (transcripts: readonly PlacedTranscript[]) => Promise<PastSessionList>;

/** A transcript is read whole once, and again only when it has changed. */
export function createPastSessions(past: Pick<PastTranscripts, 'readSession'>, redactor: Redactor): ListPastSessions {
	const memory = createFileMemory((path) => readShown(past, path, redactor), MOST_REMEMBERED);
	return async (transcripts) => {
		const problems: ProjectProblem[] = [];
		const sessions = await atMost(AT_ONCE, transcripts, async (file): Promise<PastSession | null> => {
			const read = await memory.read(file);
			if (!read.ok) {
				problems.push({ path: file.path, message: read.error.message });
				return null;
			}
			const { startedAt = file.mtimeMs, lastActivity = file.mtimeMs, ...known } = read.value;
			const { agent, nativeId, cwd } = file;
			const resumable = known.messages > 0 && (await isFolder(cwd));
			return { agent, nativeId, ...known, startedAt, lastActivity, cwd, resumable };
		});
		const found = sessions.filter((session) => session !== null).sort((a, b) => b.lastActivity - a.lastActivity);
		return { sessions: found, problems };
	};
}

/** Redacted before it is cut: half a secret is not recognised as one. */
async function readShown(
	{ readSession }: Pick<PastTranscripts, 'readSession'>,
	path: string,
	redactor: Redactor,
): Promise<Result<PastTranscript>> {
	const read = await readSession(path);
	return read.ok ? ok({ ...read.value, title: toPreview(redactor.redact(read.value.title).value) }) : read;
}

/** An agent goes on where it worked; without the folder it cannot. */
async function isFolder(path: string): Promise<boolean> {
	return (await statTarget(path))?.isDirectory() === true;
}

/** `agent`: whose it is, and who reads it. */
export type PlacedTranscript = TranscriptFile & { cwd: string; agent: string };

export type PastPlaces = { placed: PlacedTranscript[]; problems: ProjectProblem[] };

const PLACES_AT_ONCE = 16;
const MOST_PLACES = 100_000;

/** Each call looks anew; the folder that a transcript names is read once. A transcript without one belongs nowhere. */
export function createPastPlaces(agent: string, past: PastTranscripts, env: NodeJS.ProcessEnv): () => Promise<PastPlaces> {
	const cwds = createFileMemory(past.readCwd, MOST_PLACES);
	return async () => {
		const { files, problems } = await past.find(past.folder(env));
		const placed = await atMost(PLACES_AT_ONCE, files, async (file): Promise<PlacedTranscript | null> => {
			try {
				const cwd = await cwds.read(file);
				return cwd === null ? null : { ...file, cwd, agent };
			} catch (cause) {
				problems.push({ path: file.path, message: cause instanceof Error ? cause.message : String(cause) });
				return null;
			}
		});
		return { placed: placed.filter((transcript) => transcript !== null), problems };
	};
}

type FileStamp = { path: string; size: number; mtimeMs: number };

type FileMemory<T> = { read(file: FileStamp): Promise<T> };

/** The oldest are forgotten first. What throws is not remembered. */
export function createFileMemory<T>(read: (path: string) => Promise<T>, most: number): FileMemory<T> {
	const known = new Map<string, { stamp: string; value: T }>();
	return {
		async read({ path, size, mtimeMs }) {
			const stamp = `${size} ${mtimeMs}`;
			const found = known.get(path);
			if (found?.stamp === stamp) return found.value;
			const value = await read(path);
			known.delete(path);
			known.set(path, { stamp, value });
			const oldest = known.keys().next();
			if (known.size > most && !oldest.done) known.delete(oldest.value);
			return value;
		},
	};
}
