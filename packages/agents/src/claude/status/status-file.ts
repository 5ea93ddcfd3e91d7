// The file in which a claude says what it is doing: `sessions/<pid>.json` in its configuration directory.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRegularFile } from '@roost/machine/foreign-file';
import { isTaken } from '@roost/machine/process-identity';
import { readStat } from '@roost/machine/process-table';
import { z } from 'zod';
import type { StatusEvidence } from '../../base/status-source.ts';

type StatusFile = StatusEvidence & { sessionId?: string | undefined };

const LARGEST_BYTES = 64 * 1024;
const ATTEMPTS = 3;
const PAUSE_MS = 20;

/** Whose file it is. */
const statusFileOf = z.object({
	pid: z.int(),
	sessionId: z.string().optional().catch(undefined),
	/** On Linux the ticks at which the process began. */
	procStart: z.string().optional().catch(undefined),
});

/** Only what is read; a status that is none of these is no status we know. */
const statusFile = statusFileOf.extend({
	status: z.enum(['idle', 'busy', 'waiting']),
	waitingFor: z.string().optional().catch(undefined),
	statusUpdatedAt: z.number(),
});

/** The claudes that left a file there, alive or not; none where the folder is not there or is closed to us. */
async function readPids(configDir: string): Promise<number[]> {
	try {
		const names = await readdir(join(configDir, 'sessions'));
		return names.flatMap((name) => (NAME.test(name) ? [Number.parseInt(name, 10)] : []));
	} catch {
		// No claude was ever here, or it is closed to us: either way nothing is said.
		return [];
	}
}

/** Numbers that a process can have: 0 would mean a whole group. */
const NAME = /^[1-9]\d{0,9}\.json$/;

/** Null where it says nothing: it is gone, is not what we know, or its process is dead and the file was left behind. */
export async function readStatusFile(configDir: string, pid: number): Promise<StatusFile | null> {
	const read = await readAs(statusFile, configDir, pid);
	return read && toStatusFile(read);
}

/** Which conversation its claude has open, whatever it does there. */
async function readStatusFileOf(configDir: string, pid: number): Promise<z.infer<typeof statusFileOf> | null> {
	return await readAs(statusFileOf, configDir, pid);
}

async function readAs<T extends z.infer<typeof statusFileOf>>(
	schema: z.ZodType<T>,
	configDir: string,
	pid: number,
): Promise<T | null> {
	const path = join(configDir, 'sessions', `${pid}.json`);
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const text = await readText(path);
		if (text === null) return null;
		const read = parseStatus(schema, text);
		if (read !== 'half') return read?.pid === pid && isClaudeAlive(pid, read.procStart) ? read : null;
		// Claude is in the midst of writing it.
		await delay(PAUSE_MS, undefined, { ref: false });
	}
	return null;
}

function parseStatus<T>(schema: z.ZodType<T>, text: string): T | null | 'half' {
	let raw: unknown;
	try {
		raw = JSON.parse(text);
	} catch (error) {
		if (error instanceof SyntaxError) return 'half';
		throw error;
	}
	return schema.safeParse(raw).data ?? null;
}

function toStatusFile({ status, waitingFor, sessionId, statusUpdatedAt }: z.infer<typeof statusFile>): StatusFile {
	return { status, waitingFor: status === 'waiting' ? waitingFor : undefined, sessionId, at: statusUpdatedAt };
}

/** At most so much of it: nobody else has to write there, but anybody of this user could. */
async function readText(path: string): Promise<string | null> {
	try {
		const { file } = await openRegularFile(path);
		await using _file = file;
		const { bytesRead, buffer } = await file.read(Buffer.alloc(LARGEST_BYTES), 0, LARGEST_BYTES, 0);
		return buffer.toString('utf8', 0, bytesRead);
	} catch {
		// Gone, or closed to us: either way it says nothing.
		return null;
	}
}

/** A pid is given again to others; on Linux the file says when its own process began. */
function isClaudeAlive(pid: number, procStart?: string): boolean {
	return isTaken(pid) && (process.platform !== 'linux' || procStart === undefined || readStat(pid)?.startTicks === procStart);
}

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
