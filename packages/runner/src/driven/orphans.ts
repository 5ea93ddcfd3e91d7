// Processes of driven agents, kept on disk: a runner that was killed could not end them, so the next one does.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { z } from 'zod';
import { endTree } from '../life/end-tree.ts';
import { readPrivateFile, replacePrivateFile } from '../life/private-file.ts';
import { type Identity, isSame, readIdentity } from '../life/process-identity.ts';
import { endMarked } from './marked-processes.ts';

export type Orphans = {
	/** A process that the session's agent was started as. */
	note(id: SessionId, pid: number): void;
	/** The session's agent has ended. */
	forget(id: SessionId): void;
	/** Those of its processes that live: also one that was let go, and has not ended yet. */
	pidsOf(id: SessionId): readonly number[];
	/** Ends what earlier runners left, with everything it started; resolves when it is gone. */
	endAll(): Promise<void>;
};

const NAME = /^agent-([a-z0-9-]{1,40})\.json$/;
const kept = z.object({ sessionId, processes: z.array(z.object({ pid: z.int().positive(), startTime: z.string().min(1) })) });

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
		forget(id) {
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

/** Where a start is unknown, the number alone must do: nothing is ended by it. */
function isAlive({ pid, startTime }: Identity): boolean {
	return readIdentity(pid)?.startTime === startTime;
}

function readKept(path: string): readonly Identity[] {
	const text = readPrivateFile(path);
	if (!text.ok || text.value === null) return [];
	try {
		return kept.safeParse(JSON.parse(text.value)).data?.processes ?? [];
	} catch {
		// Half a file: whose processes these were cannot be told, and none is ended on a guess.
		return [];
	}
}
