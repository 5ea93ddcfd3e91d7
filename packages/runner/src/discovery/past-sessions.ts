// The past sessions of a project, as a list shows them.
import { stat } from 'node:fs/promises';
import { readPastSession } from '@roost/agents/claude/transcript/read-past-session';
import type { PastSession, PastSessionList, ProjectProblem } from '@roost/protocol/api/projects';
import { atMost } from './at-most.ts';
import { createFileMemory } from './file-memory.ts';
import type { PlacedTranscript } from './past-places.ts';

const AT_ONCE = 4;
const MOST_REMEMBERED = 10_000;

export type ListPastSessions = (transcripts: readonly PlacedTranscript[]) => Promise<PastSessionList>;

/** A transcript is read whole once, and again only when it has changed. */
export function createPastSessions(): ListPastSessions {
	const memory = createFileMemory(readPastSession, MOST_REMEMBERED);
	return async (transcripts) => {
		const problems: ProjectProblem[] = [];
		const sessions = await atMost(AT_ONCE, transcripts, async (file): Promise<PastSession | null> => {
			const read = await memory.read(file);
			if (!read.ok) {
				problems.push({ path: file.path, message: read.error.message });
				return null;
			}
			const { startedAt = file.mtimeMs, lastActivity = file.mtimeMs, ...known } = read.value;
			const { nativeId, cwd } = file;
			const resumable = known.messages > 0 && (await isFolder(cwd));
			return { agent: 'claude', nativeId, ...known, startedAt, lastActivity, cwd, resumable };
		});
		const found = sessions.filter((session) => session !== null).sort((a, b) => b.lastActivity - a.lastActivity);
		return { sessions: found, problems };
	};
}

/** An agent goes on where it worked; without the folder it cannot. */
async function isFolder(path: string): Promise<boolean> {
	return (await stat(path).catch(() => null))?.isDirectory() === true;
}
