// Where a session worked: the first folder its transcript names, read from its head and no further.
import { isAbsolute, normalize } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { z } from 'zod';
import { transcriptLines } from '../../base/transcript-files.ts';

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
