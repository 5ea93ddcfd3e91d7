// One look at the processes of this machine: who started whom, in which group and session, and who holds which socket. Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as immediate } from 'node:timers/promises';
import { hasCode } from '@roost/machine/error-code';

export type ProcessEntry = { parent: number; group: number; session: number };

export type ProcessScan = {
	processes: ReadonlyMap<number, ProcessEntry>;
	/** Processes by the inode of a socket they hold. */
	bySocket: ReadonlyMap<string, readonly number[]>;
	/** Processes that let nobody see what they hold. */
	unreadable: readonly number[];
	/** There was more than is looked at. */
	isPartial: boolean;
};

const MOST_DESCRIPTORS = 500_000;
/** So many processes are read before others get their turn. */
const AT_ONCE = 25;

export function hasProcesses(): boolean {
	return process.platform === 'linux' && readText('/proc/self/stat') !== null;
}

/** Whoever asks gets a look that began after they asked; those who wait share one. */
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
	const processes = new Map<number, ProcessEntry>();
	const bySocket = new Map<string, number[]>();
	const unreadable: number[] = [];
	let descriptors = 0;
	const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
	for (const [at, pid] of pids.entries()) {
		if (at % AT_ONCE === AT_ONCE - 1) await immediate();
		const entry = readEntry(pid);
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

/** The program's name stands in brackets and may hold anything: fields are counted from the last bracket. */
function readEntry(pid: number): ProcessEntry | null {
	const stat = readText(`/proc/${pid}/stat`);
	if (stat === null) return null;
	const [, parent, group, session] = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ', 4)
		.map(Number);
	return { parent: parent ?? 0, group: group ?? 0, session: session ?? 0 };
}

/** Null where they are closed to us. */
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

/** Null where it is gone, or not ours to read. */
export function readText(path: string): string | null {
	try {
		return readFileSync(path, 'utf8');
	} catch (cause) {
		if (hasCode(cause, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR')) return null;
		throw cause;
	}
}
