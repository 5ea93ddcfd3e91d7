// Whatever an agent started, in whatever process group: it has the mark of its session in its environment.
import { statSync } from 'node:fs';
import { endTree } from '@roost/machine/end-process';
import { type Identity, readIdentity } from '@roost/machine/process-identity';
import { ancestorsOf, listPids, readEnvironment } from '@roost/machine/process-table';

/** What was started while others were ended is found in the next look. */
const MOST_LOOKS = 5;

/** Of sessions that have no agent any more. Only Linux lets us look; elsewhere nothing is found. */
export async function endMarked(sessions: readonly string[]): Promise<void> {
	for (let looks = 0; sessions.length > 0 && looks < MOST_LOOKS; looks += 1) {
		const found = findMarked(sessions);
		if (found.length === 0) return;
		await Promise.all(found.map((process) => endTree(process)));
	}
}

function findMarked(sessions: readonly string[]): Identity[] {
	const marks = new Set(sessions.map((id) => `ROOST_SESSION=${id}`));
	// A runner that somebody started inside an agent has the mark, and so has what it was started by.
	const own = new Set(ancestorsOf(process.pid));
	return listPids()
		.filter((pid) => !own.has(pid) && isOurs(pid) && readEnvironment(pid).some((entry) => marks.has(entry)))
		.map((pid) => readIdentity(pid))
		.filter((identity) => identity !== null);
}

/** Nobody is ended that another user runs. */
function isOurs(pid: number): boolean {
	return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
