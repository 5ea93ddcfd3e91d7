// What the files of a session were when it started and when each run started, kept as trees in Roost's own directory.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sinceWords } from '@roost/core/display/review';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { readPrivateJson, writePrivateFile } from '@roost/machine/private-file';
import { sha256 } from '@roost/machine/sha256';
import { since } from '@roost/protocol/feed/review';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';

/** `top`: the working tree that it is of. `isLate`: the agent was already using tools. */
const mark = z.object({
	since,
	at: z.number(),
	top: z.string().optional(),
	tree: z.string().optional(),
	isLate: z.literal(true).optional(),
	/** Why there is no tree. */
	why: z.string().optional(),
});
export type Mark = z.infer<typeof mark>;

const kept = z.object({ folder: z.string().optional(), marks: z.array(mark) });
type Kept = z.infer<typeof kept>;

const FILE = 'marks.json';
const MOST_BYTES = 1024 * 1024;
/** The first one, and the newest. */
const MOST_MARKS = 100;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export type SessionMarks = ReturnType<typeof createSessionMarks>;

/** `directory`: where each session has a folder. */
export function createSessionMarks(directory: string) {
	const folderOf = (id: SessionId) => join(directory, sha256(id).slice(0, 32));

	function read(id: SessionId): Kept {
		return kept.safeParse(readPrivateJson(join(folderOf(id), FILE), MOST_BYTES)).data ?? { marks: [] };
	}

	function write(id: SessionId, change: Kept): Result<unknown> {
		const parent = ensurePrivateDirectory(directory);
		return parent.ok ? writePrivateFile(folderOf(id), change, FILE) : parent;
	}

	return {
		read,
		find: (id: SessionId, wanted: Mark['since']) => read(id).marks.find((one) => one.since === wanted),
		add(id: SessionId, folder: string, added: Mark): Result<unknown> {
			const { marks } = read(id);
			const [first, ...rest] = [...marks.filter((one) => one.since !== added.since), added];
			return write(id, { folder, marks: first ? [first, ...rest.slice(1 - MOST_MARKS)] : [] });
		},
		/** The directory for objects of this session. */
		objects(id: SessionId): Result<string> {
			for (const path of [directory, folderOf(id)]) {
				const safe = ensurePrivateDirectory(path);
				if (!safe.ok) return safe;
			}
			return ensurePrivateDirectory(join(folderOf(id), 'objects'));
		},
		scratch: (id: SessionId, name: string) => join(folderOf(id), `index-${name}`),
		/** Removes what was not used for a month. */
		prune(now: number): void {
			const found = namesIn(directory).map((name) => join(directory, name));
			for (const path of found) if (now - changedAt(path) > KEPT_MS) rmSync(path, { recursive: true, force: true });
		},
	};
}

function namesIn(directory: string): string[] {
	try {
		return readdirSync(directory);
	} catch {
		return [];
	}
}

/** A folder changes with each comparison, which creates an index in it. */
function changedAt(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Why there is nothing to compare with. */
export function whyUnknown(wanted: Mark['since'], found: Mark | undefined): string {
	const when = sinceWords(wanted);
	if (found?.why !== undefined) return `The files from when ${when} were not noted: ${found.why}`;
	return `The files from when ${when} were not noted. Compare with the last commit instead.`;
}
