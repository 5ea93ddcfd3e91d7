// Where Claude keeps its transcripts, and which there are. Folder names say nothing: only the lines know where a session worked.
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { hasCode } from '@roost/machine/error-code';
import { z } from 'zod';
import { transcriptLines } from '../../base/transcript-files.ts';
import type { FoundTranscripts } from '../../base/transcripts.ts';

export function claudeProjectsFolder(env: NodeJS.ProcessEnv): string {
	return join(claudeConfigFolder(env), 'projects');
}

/** Where a claude with this environment keeps everything of its own. */
export function claudeConfigFolder(env: NodeJS.ProcessEnv): string {
	const chosen = env.CLAUDE_CONFIG_DIR;
	return chosen && isAbsolute(chosen) ? chosen : join(env.HOME || homedir(), '.claude');
}

/** One level of folders, in each the files that are named by a session's id. Nothing where Claude was never used. */
export async function findTranscripts(projects: string): Promise<FoundTranscripts> {
	const found: FoundTranscripts = { files: [], problems: [] };
	for (const folder of await entriesOf(projects, found)) {
		if (!folder.isDirectory()) continue;
		const path = join(projects, folder.name);
		for (const entry of await entriesOf(path, found)) {
			const nativeId = /^(.+)\.jsonl$/s.exec(entry.name)?.[1] ?? '';
			if (!isNativeId(nativeId) || !entry.isFile()) continue;
			const file = join(path, entry.name);
			const stat = await statOf(file, found);
			if (stat) found.files.push({ path: file, nativeId, size: stat.size, mtimeMs: stat.mtimeMs });
		}
	}
	return found;
}

/** Only such an id may ever be given to Claude as one to resume. */
export function isNativeId(text: string): boolean {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

async function entriesOf(path: string, found: FoundTranscripts): Promise<Dirent[]> {
	try {
		return await readdir(path, { withFileTypes: true });
	} catch (cause) {
		if (!hasCode(cause, 'ENOENT', 'ENOTDIR'))
			found.problems.push({ path, message: 'This folder of transcripts cannot be read.' });
		return [];
	}
}

/** Null when it went away in the meantime, or cannot be looked at. */
async function statOf(path: string, found: FoundTranscripts): Promise<Stats | null> {
	try {
		return await lstat(path);
	} catch (cause) {
		if (!hasCode(cause, 'ENOENT', 'ENOTDIR')) found.problems.push({ path, message: 'This transcript cannot be looked at.' });
		return null;
	}
}

/** The first prompt may be long, and its line names the folder last. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_PATH = 4096;

const placedLine = z.object({ cwd: z.string().min(1) });

/** Null where no line names one, or what it names is no plain absolute path. Throws where the file cannot be read. */
export async function readCwd(transcript: string): Promise<string | null> {
	for await (const line of transcriptLines(transcript, MOST_BYTES)) {
		// Parsing is dear, and most lines of a head do not say it.
		if (line.type !== 'line' || !line.text.includes('"cwd"')) continue;
		const placed = placedLine.safeParse(parseJson(line.text));
		if (placed.success) return isPlainPath(placed.data.cwd) ? placed.data.cwd : null;
	}
	return null;
}

function isPlainPath(path: string): boolean {
	return isAbsolute(path) && path.length <= LONGEST_PATH && !path.includes('\0') && normalize(path) === path;
}
