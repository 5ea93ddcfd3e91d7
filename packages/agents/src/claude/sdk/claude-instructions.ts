// The CLAUDE.md texts that Claude Code would read for a folder, in the same order, each with its path.
import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve } from 'node:path';
import { type Found, readText } from '@roost/machine/foreign-file';
import { foldersBetween, isWithin, type Repository } from '../../repository/find-repository.ts';
import { shownName } from '../../repository/json-file.ts';
import { readInstruction } from './instruction-text.ts';

export type Instructions = { text: string; leftOut: string[] };

export type InstructionPlaces = {
	cwd: string;
	repository: Repository;
	configDir: string;
	homeDir: string;
	/** Owner of accepted files above the repository, besides root. */
	uid?: number | undefined;
};

export async function readInstructions({ uid = process.getuid?.(), ...places }: InstructionPlaces): Promise<Instructions> {
	const reading: Reading = { ...places, uid, left: MOST_BYTES, folders: new Set(), seen: new Set(), parts: [], leftOut: [] };
	await readSource(reading, { path: join(places.configDir, 'CLAUDE.md'), whose: 'user' });
	await readRules(reading, { path: join(places.configDir, 'rules'), whose: 'user' });
	for (const folder of foldersBetween(parse(places.cwd).root, places.cwd).slice(1)) await readFolder(reading, folder);
	return { text: reading.parts.length === 0 ? '' : [PREFACE, ...reading.parts].join('\n\n'), leftOut: reading.leftOut };
}

type Whose = 'user' | 'project' | 'local';
type Source = { path: string; whose: Whose };
type Reading = InstructionPlaces & { left: number; folders: Set<string>; seen: Set<string>; parts: string[]; leftOut: string[] };

/** Limit for all texts together. */
const MOST_BYTES = 512 * 1024;
const MOST_FILES = 200;
const MOST_RULE_FOLDERS = 100;
const MOST_IMPORTS = 200;
/** Imports may be nested four deep. */
const DEEPEST_IMPORT = 4;

const PREFACE =
	'What follows was written for your work here, by the user and by the people of this project. Keep to it; it goes before your defaults.';
const TOO_MANY = 'Some instructions are left out because there are too many.';
const OWNERS: Record<Whose, string> = {
	user: 'the user, for all projects',
	project: 'this project',
	local: 'the user, for this project alone',
};

async function readFolder(reading: Reading, folder: string): Promise<void> {
	if (!isOtherCheckout(reading.repository, folder)) {
		await readSource(reading, { path: join(folder, 'CLAUDE.md'), whose: 'project' });
		await readSource(reading, { path: join(folder, '.claude', 'CLAUDE.md'), whose: 'project' });
		await readRules(reading, { path: join(folder, '.claude', 'rules'), whose: 'project' });
	}
	await readSource(reading, { path: join(folder, 'CLAUDE.local.md'), whose: 'local' });
}

/** A worktree inside the main one has the same files from its own branch. */
function isOtherCheckout({ root, project }: Repository, folder: string): boolean {
	return root !== project && isWithin(root, project) && isWithin(folder, project) && !isWithin(folder, root);
}

/** Sorted by name. Links are followed, each folder once. */
async function readRules(reading: Reading, source: Source): Promise<void> {
	const { path, whose } = source;
	const shown = shownPath(reading, path);
	const folder = await realpath(path).catch(() => path);
	if (reading.folders.has(folder)) return;
	const why = refuse(reading, source, { realPath: folder, uid: 0 });
	if (why !== undefined) return say(reading, `${shown} is left out because ${why}.`);
	const entries = await readdir(path, { withFileTypes: true }).catch(codeOf);
	if (typeof entries === 'string') {
		if (!NO_FOLDER.includes(entries)) say(reading, `${shown} is left out because it cannot be read (${entries}).`);
		return;
	}
	if (reading.folders.size >= MOST_RULE_FOLDERS) return say(reading, TOO_MANY);
	reading.folders.add(folder);
	for (const { name } of entries.filter((entry) => /\.md$/i.test(entry.name)).sort(byName)) {
		await readSource(reading, { path: join(path, name), whose }, 'rule');
	}
	for (const { name } of entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).sort(byName)) {
		await readRules(reading, { path: join(path, name), whose });
	}
}

const NO_FOLDER = ['ENOENT', 'ENOTDIR', 'ELOOP'];

function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function byName(a: { name: string }, b: { name: string }): number {
	return a.name < b.name ? -1 : 1;
}

async function readSource(reading: Reading, source: Source, kind: 'text' | 'rule' = 'text', depth = 0): Promise<void> {
	const shown = shownPath(reading, source.path);
	const read = await readText(source.path, { mostBytes: reading.left, refuse: (found) => refuse(reading, source, found) });
	if (read.kind === 'absent') return;
	if (read.kind === 'refused') return say(reading, `${shown} is left out because ${read.why}.`);
	if (reading.seen.has(read.realPath)) return;
	if (reading.seen.size >= MOST_FILES || reading.left <= 0) return say(reading, TOO_MANY);
	reading.seen.add(read.realPath);
	const { content, paths, imports } = readInstruction(read.text);
	if (kind === 'rule' && paths.length > 0) {
		return say(reading, `${shown} is left out because it is for certain files only (${shownName(paths.join(', '))}).`);
	}
	if (content === '') return;
	reading.left -= read.bytes;
	if (read.cut) say(reading, `${shown} is cut after ${read.bytes} bytes: the instructions are too long.`);
	reading.parts.push(`From ${shownName(source.path, 1000)} (written by ${OWNERS[source.whose]}):\n\n${content}`);
	if (depth < DEEPEST_IMPORT) await readImports(reading, source, imports, depth + 1);
}

async function readImports(reading: Reading, from: Source, imports: readonly string[], depth: number): Promise<void> {
	for (const written of imports.slice(0, MOST_IMPORTS)) {
		const path = written.startsWith('~/') ? join(reading.homeDir, written.slice(2)) : resolve(dirname(from.path), written);
		if (from.whose !== 'user' && !isOfRepository(reading.repository, path)) {
			const shown = shownPath(reading, from.path);
			say(reading, `${shown} imports ${shownName(written)}, which is left out because it lies outside the repository.`);
		} else await readSource(reading, { path, whose: from.whose }, 'text', depth);
	}
	if (imports.length > MOST_IMPORTS)
		say(reading, `${shownPath(reading, from.path)} imports too many files: only the first are read.`);
}

/** The user's texts may be anywhere, a repository's only inside the repository. */
function refuse({ repository, uid }: Reading, { path, whose }: Source, { realPath, uid: owner }: Found): string | undefined {
	if (whose === 'user') return undefined;
	if (isWithin(path, repository.root)) {
		return isOfRepository(repository, realPath) ? undefined : 'it is a link that leads out of the repository';
	}
	// Folders above the repository may be writable by all users.
	const isOurs = uid === undefined || owner === 0 || owner === uid;
	return isOurs ? undefined : 'it belongs to another user';
}

/** Git's own folder may contain URLs with passwords. */
function isOfRepository({ root }: Repository, path: string): boolean {
	return isWithin(path, root) && !isWithin(path, join(root, '.git'));
}

function say(reading: Reading, sentence: string): void {
	if (!reading.leftOut.includes(sentence)) reading.leftOut.push(sentence);
}

function shownPath({ repository }: Reading, path: string): string {
	const way = relative(repository.root, path);
	return shownName(way.startsWith('..') || isAbsolute(way) ? path : way, 160);
}
