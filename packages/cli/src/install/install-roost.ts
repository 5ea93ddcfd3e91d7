// roost install and uninstall: a link to the launcher and the completions, listed in Roost's home so that exactly those are removed.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { ensureHome, resolveHome } from '@roost/home/home';
import { hasCode } from '@roost/machine/error-code';
import { makeDirectories } from '@roost/machine/private-directory';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';

/** `content`: the target of a link or the hash of a file, so that changed entries are not removed. */
const madeEntry = z.object({ path: z.string(), kind: z.enum(['link', 'file', 'folder']), content: z.string() });
type MadeEntry = z.infer<typeof madeEntry>;
const manifest = z.object({ made: z.array(madeEntry) });

/** Writes nothing if an entry would replace a file of the user. */
export function installRoost(env: NodeJS.ProcessEnv, wanted: readonly WantedEntry[]): Result<{ changed: boolean }> {
	const opened = openManifest(env);
	if (!opened.ok) return opened;
	const { path, made } = opened.value;
	const own = [...made, ...wanted.map(toEntry)];
	const foreign = wanted.find((entry) => isForeign(entry.path, own));
	if (foreign) {
		const remedy = 'Move it away, or name another folder: "roost install <folder>"';
		return err(new AppError('conflict', `${foreign.path} exists and was not made by "roost install". ${remedy}.`));
	}
	const missing = wanted.filter((entry) => isForeign(entry.path, [toEntry(entry)]) || !made.some(isLike(toEntry(entry))));
	let kept = made;
	for (const entry of missing) {
		const done = makeEntry(entry);
		if (!done.ok) return done;
		// Listed one by one, so that entries made before a failure can be removed.
		kept = [...kept.filter(({ path: at }) => at !== entry.path), ...done.value];
		const written = replacePrivateFile(path, `${JSON.stringify({ made: kept })}\n`);
		if (!written.ok) return written;
	}
	return ok({ changed: missing.length > 0 });
}

type Uninstalled = { removed: string[]; left: string[] };

/** `left`: files that were changed since. */
export function uninstallRoost(env: NodeJS.ProcessEnv): Result<Uninstalled> {
	const opened = openManifest(env);
	if (!opened.ok) return opened;
	const { path, made } = opened.value;
	const files = made.filter(({ kind }) => kind !== 'folder');
	const left = files.filter((entry) => !removeEntry(entry)).map((entry) => entry.path);
	// Deepest folders first.
	for (const folder of made.filter(({ kind }) => kind === 'folder').toReversed()) removeEntry(folder);
	rmSync(path, { force: true });
	return ok({ removed: files.map((entry) => entry.path).filter((each) => !left.includes(each)), left });
}

function isLike(wanted: MadeEntry): (entry: MadeEntry) => boolean {
	return ({ path, content }) => path === wanted.path && content === wanted.content && !isForeign(path, [wanted]);
}

function openManifest(env: NodeJS.ProcessEnv): Result<{ path: string; made: MadeEntry[] }> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const path = join(home.value.data, 'install.json');
	const text = readPrivateFile(path);
	if (!text.ok) return text;
	if (text.value === null) return ok({ path, made: [] });
	const parsed = manifest.safeParse(parseJson(text.value));
	return parsed.success ? ok({ path, ...parsed.data }) : err(new AppError('unsafe_path', `${path} is damaged. Remove it.`));
}

type WantedEntry = { path: string; target: string } | { path: string; text: string };

function toEntry(wanted: WantedEntry): MadeEntry {
	if ('target' in wanted) return { path: wanted.path, kind: 'link', content: wanted.target };
	return { path: wanted.path, kind: 'file', content: hashOf(wanted.text) };
}

/** Whether something else exists at this path. */
function isForeign(path: string, own: readonly MadeEntry[]): boolean {
	const found = readEntry(path);
	return found !== null && !own.some((entry) => isSame(entry, found));
}

/** Also creates missing folders; returns everything that was created. */
function makeEntry(wanted: WantedEntry): Result<MadeEntry[]> {
	try {
		const folders = makeDirectories(dirname(wanted.path));
		rmSync(wanted.path, { force: true });
		if ('target' in wanted) symlinkSync(wanted.target, wanted.path);
		else writeFileSync(wanted.path, wanted.text, { flag: 'wx', mode: 0o644 });
		return ok([...folders.map(toFolder), toEntry(wanted)]);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		return err(new AppError('cannot_start', `${wanted.path} cannot be written: ${why}.`, { cause }));
	}
}

/** True if it is gone. Shared folders and changed files stay. */
function removeEntry(entry: MadeEntry): boolean {
	const found = readEntry(entry.path);
	if (found === null) return true;
	if (!isSame(entry, found)) return false;
	if (entry.kind !== 'folder') {
		rmSync(entry.path);
		return true;
	}
	try {
		rmdirSync(entry.path);
		return true;
	} catch (cause) {
		if (hasCode(cause, 'ENOTEMPTY', 'EEXIST')) return false;
		throw cause;
	}
}

function toFolder(path: string): MadeEntry {
	return { path, kind: 'folder', content: '' };
}

function readEntry(path: string): MadeEntry | null {
	try {
		const found = lstatSync(path);
		if (found.isSymbolicLink()) return { path, kind: 'link', content: readlinkSync(path) };
		if (found.isDirectory()) return toFolder(path);
		return { path, kind: 'file', content: found.isFile() ? hashOf(readFileSync(path, 'utf8')) : '' };
	} catch {
		// Missing or unreadable: creating the entry reports the reason.
		return null;
	}
}

function isSame(a: MadeEntry, b: MadeEntry): boolean {
	return a.path === b.path && a.kind === b.kind && a.content === b.content;
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
