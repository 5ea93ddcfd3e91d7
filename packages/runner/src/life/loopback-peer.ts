// The processes at the other end of a connection over loopback, as the system knows them. Linux only.
import { type ProcessScan, readText } from './process-scan.ts';

/** Ports of both ends, as we see them. */
export type Connection = { localPort: number; remotePort: number };

export type Peer =
	| { type: 'found'; pids: readonly number[] }
	/** Nobody holds the other end any more. */
	| { type: 'gone' }
	/** Somebody does, and it cannot be seen who. */
	| { type: 'hidden' }
	/** This system does not tell. */
	| { type: 'unknown' };

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

export function findPeer({ localPort, remotePort }: Connection, scan: ProcessScan): Peer {
	const tables = TABLES.flatMap((path) => readText(path) ?? []);
	if (tables.length === 0) return { type: 'unknown' };
	const inodes = tables.flatMap((table) => findInodes(table, remotePort, localPort)).filter((inode) => inode !== '0');
	if (inodes.length === 0) return { type: 'gone' };
	const pids = inodes.flatMap((inode) => scan.bySocket.get(inode) ?? []);
	return pids.length > 0 ? { type: 'found', pids } : { type: 'hidden' };
}

/** Columns: number, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode. */
export function findInodes(table: string, from: number, to: number): string[] {
	const [local, remote] = [portEnding(from), portEnding(to)];
	return table.split('\n').flatMap((line) => {
		const columns = line.trim().split(/\s+/);
		return columns[1]?.endsWith(local) && columns[2]?.endsWith(remote) ? (columns[9] ?? []) : [];
	});
}

function portEnding(port: number): string {
	return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}
