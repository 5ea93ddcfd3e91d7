// roost install and uninstall: a link to the launcher and the completions, remembered in Roost's home so that exactly they are removed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { ensureHome, resolveHome } from '@roost/home/home';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { isForeign, type MadeEntry, madeEntry, makeEntry, removeEntry, toEntry, type WantedEntry } from './installed-files.ts';

const manifest = z.object({ made: z.array(madeEntry) });

/** Nothing is written where one of them would replace something of the user's. */
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
		// Remembered one by one: what was made before a failure can be removed too.
		kept = [...kept.filter(({ path: at }) => at !== entry.path), ...done.value];
		const written = replacePrivateFile(path, `${JSON.stringify({ made: kept })}\n`);
		if (!written.ok) return written;
	}
	return ok({ changed: missing.length > 0 });
}

export type Uninstalled = { removed: string[]; left: string[] };

/** `left`: files that somebody changed since. */
export function uninstallRoost(env: NodeJS.ProcessEnv): Result<Uninstalled> {
	const opened = openManifest(env);
	if (!opened.ok) return opened;
	const { path, made } = opened.value;
	const files = made.filter(({ kind }) => kind !== 'folder');
	const left = files.filter((entry) => !removeEntry(entry)).map((entry) => entry.path);
	// The deepest first.
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
