// The heads of the hash chains in a plain file outside the database, which reveals a truncated database.
// It is written after each commit, so the database is never behind it, and a crash between the two does not look like a truncation.
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateDirectory, makePrivateFile, openPrivateFile, requirePlainFile } from './private-file.ts';

export type Head = { stream: string; offset: number; hash: string };

export type HeadsFile = {
	record(heads: readonly Head[]): void;
	/** Records damage permanently; verify reports it from then on. */
	note(what: string): void;
	/** False if some heads are not on disk. */
	sync(): boolean;
	close(): void;
};

export type HeadsRecord = {
	/** The number of events when the file was created; not 0 if an earlier file was lost. */
	heldBefore: number;
	heads: Head[];
	/** Numbers of unreadable lines. */
	unreadable: number[];
	/** Damage that a writer found. */
	notes: string[];
};

/** The source of the heads that the log is checked against. */
export type HeadsSource = {
	path: string;
	/** Undefined if the file is missing. */
	read(): HeadsRecord | undefined;
};

type Deps = {
	path: string;
	countEvents: () => number;
	/** Whether the database has this hash at this place. */
	isConfirmed: (head: Head) => boolean;
	compactAbove?: number;
};

export function openHeadsFile({ path, countEvents, isConfirmed, compactAbove = 4 * 1024 * 1024 }: Deps): HeadsFile {
	if (requirePlainFile(path) === undefined) begin(path, countEvents());
	makePrivateFile(path);
	let file = openPrivateFile(path, constants.O_RDWR | constants.O_APPEND);
	let size = dropTornLine(file, path);
	let limit = compactAbove;
	const unsaved = new Map<string, Head>();
	compactIfLarge();

	function record(heads: readonly Head[]): void {
		for (const head of heads) unsaved.set(head.stream, head);
		if (unsaved.size === 0) return;
		const text = [...unsaved.values()].map(toText).join('');
		if (!appendWhole(file, text, size)) return;
		size += Buffer.byteLength(text);
		unsaved.clear();
		compactIfLarge();
	}

	function compactIfLarge(): void {
		if (size <= limit) return;
		try {
			compact(path, isConfirmed);
			const fresh = openPrivateFile(path, constants.O_RDWR | constants.O_APPEND);
			closeSync(file);
			file = fresh;
			size = fstatSync(file).size;
		} catch {
			// A large file is only slower to verify; the commit has succeeded.
		}
		limit = Math.max(compactAbove, size * 2);
	}

	function sync(): boolean {
		if (unsaved.size > 0) return false;
		fsyncSync(file);
		return true;
	}

	function note(what: string): void {
		const text = `# ${what}\n`;
		if (appendWhole(file, text, size)) size += Buffer.byteLength(text);
	}

	return { record, note, sync, close: () => closeSync(file) };
}

export function headsAt(path: string): HeadsSource {
	return { path, read: () => readHeads(path) };
}

export function readHeads(path: string): HeadsRecord | undefined {
	if (requirePlainFile(path) === undefined) return undefined;
	const lines = readFileSync(path, 'utf8').split('\n');
	// After the last newline: nothing, or a line truncated by a crash.
	lines.pop();
	const [first = '', ...rest] = lines;
	const held = /^# roost heads, begun with (\d+) events$/.exec(first)?.[1];
	const record: HeadsRecord = { heldBefore: Number(held ?? 0), heads: [], unreadable: held === undefined ? [1] : [], notes: [] };
	for (const [index, line] of rest.entries()) {
		const head = parseHead(line);
		if (line.startsWith('# ')) record.notes.push(line.slice(2));
		else if (head === undefined) record.unreadable.push(index + 2);
		else record.heads.push(head);
	}
	return record;
}

/** Drops heads that a later head of their stream covers. Unconfirmed and unreadable lines are evidence, and stay. */
function compact(path: string, isConfirmed: (head: Head) => boolean): void {
	const record = readHeads(path);
	if (record === undefined || record.unreadable.length > 0) return;
	const latest = new Map<string, Head>();
	const denied: Head[] = [];
	for (const head of record.heads) {
		if (isConfirmed(head)) latest.set(head.stream, head);
		else denied.push(head);
	}
	const notes = record.notes.map((note) => `# ${note}\n`);
	rewrite(path, header(record.heldBefore) + [...notes, ...[...denied, ...latest.values()].map(toText)].join(''));
}

function begin(path: string, held: number): void {
	makePrivateDirectory(dirname(path));
	rewrite(path, header(held));
}

function header(held: number): string {
	return `# roost heads, begun with ${held} events\n`;
}

function toText({ stream, offset, hash }: Head): string {
	return `${hash} ${offset} ${JSON.stringify(stream)}\n`;
}

function parseHead(line: string): Head | undefined {
	const [, hash, offset, quoted] = /^([0-9a-f]{64}) ([1-9]\d*) (".*")$/.exec(line) ?? [];
	if (hash === undefined || offset === undefined || quoted === undefined) return undefined;
	const stream = parseQuoted(quoted);
	return stream === undefined ? undefined : { stream, offset: Number(offset), hash };
}

function parseQuoted(text: string): string | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'string' ? value : undefined;
	} catch {
		// The caller counts the line as unreadable.
		return undefined;
	}
}

/** False on a disk error: the heads stay in memory and are written with the next commit. */
function appendWhole(file: number, text: string, size: number): boolean {
	try {
		const bytes = Buffer.from(text);
		if (writeSync(file, bytes) === bytes.length) return true;
		ftruncateSync(file, size);
		return false;
	} catch {
		// The events are on disk, so the append has succeeded; the file may lag behind.
		return false;
	}
}

function rewrite(path: string, text: string): void {
	const temporary = `${path}.new`;
	rmSync(temporary, { force: true });
	const file = openPrivateFile(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY);
	try {
		writeSync(file, text);
	} finally {
		closeSync(file);
	}
	renameSync(temporary, path);
}

function dropTornLine(file: number, path: string): number {
	const whole = readFileSync(path).lastIndexOf(0x0a) + 1;
	if (whole < fstatSync(file).size) ftruncateSync(file, whole);
	return whole;
}
