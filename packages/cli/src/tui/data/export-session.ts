// A session as a file of JSON lines, read from the runner page by page. It never replaces a file that is there.
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RecordApi } from '@roost/client/api-client';
import type { SessionId } from '@roost/protocol/ids';

const PAGE = 500;

/** Resolves with one sentence that says what became of it. */
export async function exportSession(
	record: Pick<RecordApi, 'session' | 'events'>,
	id: SessionId,
	name = `roost-${id}.jsonl`,
): Promise<string> {
	const path = resolve(name);
	const session = await record.session(id);
	if (!session.ok) return session.error.message;
	await using file = await createFile(path);
	if (!file) return `${path} exists or cannot be written: name a new file.`;
	await file.appendFile(`${JSON.stringify({ export: 1, session: session.value })}\n`);
	let written = 0;
	for (;;) {
		const page = await record.events(id, { after: written, limit: PAGE });
		if (!page.ok) return `${path} is not complete: ${page.error.message}`;
		if (page.value.length === 0) return `Wrote ${written} events to ${path}.`;
		await file.appendFile(page.value.map((line) => `${JSON.stringify(line)}\n`).join(''));
		written += page.value.length;
	}
}

/** Null when it cannot be made. */
async function createFile(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, 'wx', 0o600);
	} catch {
		// The caller says it in one sentence.
		return null;
	}
}
