// The status files of Claude processes: `sessions/<pid>.json` in the configuration directory.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openRegularFile } from '@roost/machine/foreign-file';
import { isTaken } from '@roost/machine/process-identity';
import { readStat } from '@roost/machine/process-table';
import { z } from 'zod';
import type { StatusEvidence } from '../../base/status-source.ts';

export type StatusFile = StatusEvidence & { sessionId?: string | undefined };

const LARGEST_BYTES = 64 * 1024;
const ATTEMPTS = 3;
const PAUSE_MS = 20;

const statusFileOf = z.object({
	pid: z.int(),
	sessionId: z.string().optional().catch(undefined),
	/** On Linux the start ticks of the process. */
	procStart: z.string().optional().catch(undefined),
});

/** Unknown values do not count as a status. */
const statusFile = statusFileOf.extend({
	status: z.enum(['idle', 'busy', 'waiting']),
	waitingFor: z.string().optional().catch(undefined),
	statusUpdatedAt: z.number(),
});

/** Alive or not; empty where the folder cannot be read. */
async function readPids(configDir: string): Promise<number[]> {
	try {
		const names = await readdir(join(configDir, 'sessions'));
		return names.flatMap((name) => (NAME.test(name) ? [Number.parseInt(name, 10)] : []));
	} catch {
		return [];
	}
}

/** 0 would mean a process group. */
const NAME = /^[1-9]\d{0,9}\.json$/;

/** Null for a missing, unknown or stale file. */
export async function readStatusFile(configDir: string, pid: number): Promise<StatusFile | null> {
	const read = await readAs(statusFile, configDir, pid);
	return read && toStatusFile(read);
}

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
		// Claude is writing it.
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

/** Bounded, because any process of this user could write there. */
async function readText(path: string): Promise<string | null> {
	try {
		const { file } = await openRegularFile(path);
		await using _file = file;
		const { bytesRead, buffer } = await file.read(Buffer.alloc(LARGEST_BYTES), 0, LARGEST_BYTES, 0);
		return buffer.toString('utf8', 0, bytesRead);
	} catch {
		return null;
	}
}

/** Pids are reused; on Linux the file contains the start of its process. */
function isClaudeAlive(pid: number, procStart?: string): boolean {
	return isTaken(pid) && (process.platform !== 'linux' || procStart === undefined || readStat(pid)?.startTicks === procStart);
}

/** With more processes than this, hooks report the status. */
const MOST_FILES = 256;

/** Null without a live process for one of these ids. The newest file counts. */
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

/** Regardless of their status. */
export async function findOpenClaudes(configDir: string, nativeId: string): Promise<number[]> {
	const open: number[] = [];
	for (const pid of (await readPids(configDir)).filter((one) => isClaudeAlive(one))) {
		const named = await readStatusFileOf(configDir, pid);
		if (named?.sessionId === nativeId) open.push(pid);
	}
	return open;
}
