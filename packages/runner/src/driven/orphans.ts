// Processes of driven agents: none outlives its agent, and as they are kept on disk, none outlives a runner that is killed.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endTree, stillThere } from '@roost/machine/end-process';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { type Identity, isSame, readIdentity } from '@roost/machine/process-identity';
import { ancestorsOf, listPids, readEnvironment } from '@roost/machine/process-table';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { z } from 'zod';

export type Orphans = {
	/** A process that the session's agent was started as. */
	note(id: SessionId, pid: number): void;
	/** The session's agent was told to end. Resolves when it is gone; one that does not go in time is ended, with everything it started. */
	leave(id: SessionId, ms?: number): Promise<void>;
	/** Those of its processes that live: also one that was let go, and has not ended yet. */
	pidsOf(id: SessionId): readonly number[];
	/** Ends what earlier runners left, with everything it started; resolves when it is gone. */
	endAll(): Promise<void>;
};

const NAME = /^agent-([a-z0-9-]{1,40})\.json$/;
const kept = z.object({ sessionId, processes: z.array(z.object({ pid: z.int().positive(), startTime: z.string().min(1) })) });

/** Less than an agent has before it is killed, so that it is still there to tell what it started. */
const LEAVE_MS = 4_500;

export function createOrphans(runDir: string, warn: (sentence: string) => void): Orphans {
	const mine = new Map<SessionId, Identity[]>();
	/** All that were started here and live. */
	let spawned: readonly { id: SessionId; identity: Identity }[] = [];
	const pathOf = (id: string) => join(runDir, `agent-${id}.json`);

	return {
		note(id, pid) {
			const identity = readIdentity(pid);
			if (!identity) return;
			spawned = [...spawned.filter((one) => isAlive(one.identity)), { id, identity }];
			const processes = [...(mine.get(id) ?? []), identity];
			mine.set(id, processes);
			const written = replacePrivateFile(pathOf(id), `${JSON.stringify({ sessionId: id, processes })}\n`);
			if (!written.ok) warn(`the agent of session ${id} would outlive a runner that is killed: ${written.error.message}`);
		},
		async leave(id, ms = LEAVE_MS) {
			const left = await Promise.all((mine.get(id) ?? []).map((process) => stillThere(process, ms)));
			const ended = await endLeft(id, left.flat());
			// The next runner tries again.
			if (!ended) return warn(`what the agent of session ${id} started does not end: the system holds it`);
			if (mine.delete(id)) rmSync(pathOf(id), { force: true });
		},
		pidsOf: (id) => spawned.flatMap((one) => (one.id === id && isAlive(one.identity) ? [one.identity.pid] : [])),
		async endAll() {
			const left = readdirSync(runDir).flatMap((name) => NAME.exec(name)?.[1] ?? []);
			for (const id of left) {
				for (const process of readKept(pathOf(id))) if (isSame(process)) await endTree(process);
			}
			// Commands of an agent may have left its tree, and outlive it.
			await endMarked(left);
			for (const id of left) rmSync(pathOf(id), { force: true });
		},
	};
}

/** False where the system itself holds one of them. */
async function endLeft(id: SessionId, left: readonly Identity[]): Promise<boolean> {
	if (left.length === 0) return true;
	const ended = await Promise.all(left.map((process) => endTree(process)));
	await endMarked([id]);
	return ended.every((isGone) => isGone);
}

/** Where a start is unknown, the number alone must do: nothing is ended by it. */
function isAlive({ pid, startTime }: Identity): boolean {
	return readIdentity(pid)?.startTime === startTime;
}

/** Of half a file nobody can tell whose processes these were, and none is ended on a guess. */
function readKept(path: string): readonly Identity[] {
	return kept.safeParse(readPrivateJson(path)).data?.processes ?? [];
}

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
