// Where Claude keeps its transcripts. Folder names are ambiguous: only the lines contain the working directory.
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

export function claudeConfigFolder(env: NodeJS.ProcessEnv): string {
	const chosen = env.CLAUDE_CONFIG_DIR;
	return chosen && isAbsolute(chosen) ? chosen : join(env.HOME || homedir(), '.claude');
}

/** One level of folders with files named by session id. */
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

/** Only such ids may be passed to Claude for resuming. */
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

/** Null for a file that vanished or cannot be read. */
async function statOf(path: string, found: FoundTranscripts): Promise<Stats | null> {
	try {
		return await lstat(path);
	} catch (cause) {
		if (!hasCode(cause, 'ENOENT', 'ENOTDIR')) found.problems.push({ path, message: 'This transcript cannot be looked at.' });
		return null;
	}
}

/** The first prompt may be long, and the directory is at the end of its line. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_PATH = 4096;

const placedLine = z.object({ cwd: z.string().min(1) });

/** Null where no line contains a plain absolute path. Throws where the file cannot be read. */
export async function readCwd(transcript: string): Promise<string | null> {
	for await (const line of transcriptLines(transcript, MOST_BYTES)) {
		// Parsing is expensive, and most lines do not contain it.
		if (line.type !== 'line' || !line.text.includes('"cwd"')) continue;
		const placed = placedLine.safeParse(parseJson(line.text));
		if (placed.success) return isPlainPath(placed.data.cwd) ? placed.data.cwd : null;
	}
	return null;
}

function isPlainPath(path: string): boolean {
	return isAbsolute(path) && path.length <= LONGEST_PATH && !path.includes('\0') && normalize(path) === path;
}
