// A scan of all processes: parents, groups, sessions and open sockets. Linux only.
import { readdirSync, readlinkSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';
import { hasCode } from './error-code.ts';
import { listPids, type ProcessStat, readProc, readStat } from './process-table.ts';

export type ProcessScan = {
	processes: ReadonlyMap<number, Pick<ProcessStat, 'parent' | 'group' | 'session'>>;
	/** Processes by the inode of an open socket. */
	bySocket: ReadonlyMap<string, readonly number[]>;
	/** Processes whose descriptors cannot be read. */
	unreadable: readonly number[];
	/** The scan reached its limit. */
	isPartial: boolean;
};

const MOST_DESCRIPTORS = 500_000;
/** Processes that are read before yielding to the event loop. */
const AT_ONCE = 25;

/** Each call gets a scan that starts after the call; waiting callers share one. */
export function createProcessScans(): () => Promise<ProcessScan> {
	let running: Promise<unknown> = Promise.resolve();
	let next: Promise<ProcessScan> | undefined;
	return () => {
		next ??= running.then(() => {
			next = undefined;
			const scan = scanProcesses();
			running = scan.catch(() => undefined);
			return scan;
		});
		return next;
	};
}

async function scanProcesses(): Promise<ProcessScan> {
	const processes = new Map<number, ProcessStat>();
	const bySocket = new Map<string, number[]>();
	const unreadable: number[] = [];
	let descriptors = 0;
	for (const [at, pid] of listPids().entries()) {
		if (at % AT_ONCE === AT_ONCE - 1) await immediate();
		const entry = readStat(pid);
		if (!entry) continue;
		processes.set(pid, entry);
		const held = descriptors < MOST_DESCRIPTORS ? readDescriptors(pid) : [];
		if (!held) unreadable.push(pid);
		for (const target of held ?? []) {
			descriptors += 1;
			if (target.startsWith('socket:[')) bySocket.set(target.slice(8, -1), [...(bySocket.get(target.slice(8, -1)) ?? []), pid]);
		}
	}
	return { processes, bySocket, unreadable, isPartial: descriptors >= MOST_DESCRIPTORS };
}

/** Null without permission. */
function readDescriptors(pid: number): string[] | null {
	try {
		return readdirSync(`/proc/${pid}/fd`).flatMap((name) => readLink(`/proc/${pid}/fd/${name}`) ?? []);
	} catch (cause) {
		if (hasCode(cause, 'EACCES', 'EPERM')) return null;
		if (hasCode(cause, 'ENOENT', 'ESRCH')) return [];
		throw cause;
	}
}

function readLink(path: string): string | null {
	try {
		return readlinkSync(path);
	} catch (cause) {
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return null;
		throw cause;
	}
}

/** The ports, from our side. */
export type Connection = { localPort: number; remotePort: number };

export type Peer =
	| { type: 'found'; pids: readonly number[] }
	/** The other end is closed. */
	| { type: 'gone' }
	/** Open in a process that cannot be identified. */
	| { type: 'hidden' }
	/** Not supported on this system. */
	| { type: 'unknown' };

/** The processes at the other end of a connection over loopback. */
export function findPeer({ localPort, remotePort }: Connection, scan: ProcessScan): Peer {
	const tables = ['net/tcp', 'net/tcp6'].flatMap((name) => readProc(name) ?? []);
	if (tables.length === 0) return { type: 'unknown' };
	const inodes = tables.flatMap((table) => findInodes(table, remotePort, localPort)).filter((inode) => inode !== '0');
	if (inodes.length === 0) return { type: 'gone' };
	const pids = inodes.flatMap((inode) => scan.bySocket.get(inode) ?? []);
	return pids.length > 0 ? { type: 'found', pids } : { type: 'hidden' };
}

/** Columns: number, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode. */
function findInodes(table: string, from: number, to: number): string[] {
	const [local, remote] = [portEnding(from), portEnding(to)];
	return table.split('\n').flatMap((line) => {
		const columns = line.trim().split(/\s+/);
		return columns[1]?.endsWith(local) && columns[2]?.endsWith(remote) ? (columns[9] ?? []) : [];
	});
}

function portEnding(port: number): string {
	return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
