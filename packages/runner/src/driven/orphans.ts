// The processes of driven agents, kept on disk: none outlives its agent, or a killed runner.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endTree, stillThere } from '@roost/machine/end-process';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { type Identity, isSame, readIdentity } from '@roost/machine/process-identity';
import { ancestorsOf, listPids, readEnvironment } from '@roost/machine/process-table';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { z } from 'zod';

export type Orphans = ReturnType<typeof createOrphans>;

const NAME = /^agent-([a-z0-9-]{1,40})\.json$/;
const kept = z.object({ sessionId, processes: z.array(z.object({ pid: z.int().positive(), startTime: z.string().min(1) })) });

/** Shorter than the grace period of an agent, so that its descendants can still be found. */
const LEAVE_MS = 4_500;

export function createOrphans(runDir: string, warn: (sentence: string) => void) {
	const mine = new Map<SessionId, Identity[]>();
	let spawned: readonly { id: SessionId; identity: Identity }[] = [];
	const pathOf = (id: string) => join(runDir, `agent-${id}.json`);

	return {
		note(id: SessionId, pid: number): void {
			const identity = readIdentity(pid);
			if (!identity) return;
			spawned = [...spawned.filter((one) => isAlive(one.identity)), { id, identity }];
			const processes = [...(mine.get(id) ?? []), identity];
			mine.set(id, processes);
			const written = replacePrivateFile(pathOf(id), `${JSON.stringify({ sessionId: id, processes })}\n`);
			if (!written.ok) warn(`the agent of session ${id} would outlive a killed runner: ${written.error.message}`);
		},
		/** After the agent was asked to exit: resolves when it is gone, and ends what is left after the time. */
		async leave(id: SessionId, ms = LEAVE_MS): Promise<void> {
			const left = await Promise.all((mine.get(id) ?? []).map((process) => stillThere(process, ms)));
			const ended = await endLeft(id, left.flat());
			// The next runner tries again.
			if (!ended) return warn(`processes of the agent of session ${id} do not exit after SIGKILL`);
			if (mine.delete(id)) rmSync(pathOf(id), { force: true });
		},
		/** Its living processes, including those that are exiting. */
		pidsOf: (id: SessionId): readonly number[] =>
			spawned.flatMap((one) => (one.id === id && isAlive(one.identity) ? [one.identity.pid] : [])),
		async endAll(): Promise<void> {
			const left = readdirSync(runDir).flatMap((name) => NAME.exec(name)?.[1] ?? []);
			for (const id of left) {
				for (const process of readKept(pathOf(id))) if (isSame(process)) await endTree(process);
			}
			// Commands of an agent may have left its process tree.
			await endMarked(left);
			for (const id of left) rmSync(pathOf(id), { force: true });
		},
	};
}

/** False if one of them survives. */
async function endLeft(id: SessionId, left: readonly Identity[]): Promise<boolean> {
	if (left.length === 0) return true;
	const ended = await Promise.all(left.map((process) => endTree(process)));
	await endMarked([id]);
	return ended.every((isGone) => isGone);
}

/** Also by pid alone if the start time is unknown; not used to end a process. */
function isAlive({ pid, startTime }: Identity): boolean {
	return readIdentity(pid)?.startTime === startTime;
}

/** Empty for a malformed file: no process is ended on a guess. */
function readKept(path: string): readonly Identity[] {
	return kept.safeParse(readPrivateJson(path)).data?.processes ?? [];
}

/** New processes are found by the next scan. */
const MOST_SCANS = 5;

/** Ends all processes with these sessions in their environment, in any process group. Linux only. */
export async function endMarked(sessions: readonly string[]): Promise<void> {
	for (let scans = 0; sessions.length > 0 && scans < MOST_SCANS; scans += 1) {
		const found = findMarked(sessions);
		if (found.length === 0) return;
		await Promise.all(found.map((process) => endTree(process)));
	}
}

function findMarked(sessions: readonly string[]): Identity[] {
	const marks = new Set(sessions.map((id) => `ROOST_SESSION=${id}`));
	// A runner that was started inside an agent has the mark itself, and so have its ancestors.
	const own = new Set(ancestorsOf(process.pid));
	return listPids()
		.filter((pid) => !own.has(pid) && isOurs(pid) && readEnvironment(pid).some((entry) => marks.has(entry)))
		.map((pid) => readIdentity(pid))
		.filter((identity) => identity !== null);
}

function isOurs(pid: number): boolean {
	return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
