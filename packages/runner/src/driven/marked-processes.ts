// Whatever an agent started, in whatever process group: it has the mark of its session in its environment.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';
import { ancestorsOf } from '../life/ancestors.ts';
import { endTree } from '../life/end-tree.ts';
import { type Identity, readIdentity } from '../life/process-identity.ts';

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
	return processes()
		.filter((pid) => !own.has(pid) && environmentOf(pid).some((entry) => marks.has(entry)))
		.map((pid) => readIdentity(pid))
		.filter((identity) => identity !== null);
}

function processes(): number[] {
	if (process.platform !== 'linux') return [];
	return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Nothing of a process that has ended, or that another user runs. */
function environmentOf(pid: number): string[] {
	try {
		if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return [];
		return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
	} catch (cause) {
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return [];
		throw cause;
	}
}
