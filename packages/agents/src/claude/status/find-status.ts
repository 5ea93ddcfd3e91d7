// The claudes that have a conversation open, found by the conversation's id: each says so in its status file.
import { isClaudeAlive, readPids, readStatusFile, readStatusFileOf, type StatusFile } from './read-status-file.ts';

/** Files of the living; whoever has more claudes at once than this is told of by hooks. */
const MOST_FILES = 256;

/** Null where no living claude names one of these ids. The newest counts, where several do. */
export async function findStatus(configDir: string, nativeIds: readonly string[]): Promise<StatusFile | null> {
	if (nativeIds.length === 0) return null;
	const pids = await readPids(configDir);
	const alive = pids.filter((pid) => isClaudeAlive(pid)).slice(0, MOST_FILES);
	const files = await Promise.all(alive.map((pid) => readStatusFile(configDir, pid)));
	return files.reduce((best, file) => (isOneOf(nativeIds, file) && isNewer(file, best) ? file : best), null);
}

function isOneOf(nativeIds: readonly string[], file: StatusFile | null): boolean {
	return file?.sessionId !== undefined && nativeIds.includes(file.sessionId);
}

function isNewer(file: StatusFile | null, than: StatusFile | null): boolean {
	return file !== null && (than === null || file.at > than.at);
}

/** Their process ids. What such a claude does is of no matter here, so a status that nobody knows hides none of them. */
export async function findOpenClaudes(configDir: string, nativeId: string): Promise<number[]> {
	const open: number[] = [];
	for (const pid of (await readPids(configDir)).filter((one) => isClaudeAlive(one))) {
		const named = await readStatusFileOf(configDir, pid);
		if (named?.sessionId === nativeId) open.push(pid);
	}
	return open;
}
