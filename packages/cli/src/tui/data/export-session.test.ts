import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordApi } from '@roost/client/api-client';
import { AppError } from '@roost/protocol/app-error';
import { projectId, runnerId, sessionId, streamId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import { sampleEvent, sampleSession } from '@roost/testkit/rigs/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { exportSession } from './export-session.ts';

const ID = sessionId.parse('k3f9');

/** Fails from that event on. */
function recordOf(lines: readonly StoredLine[], failsAt = Number.POSITIVE_INFINITY): Pick<RecordApi, 'session' | 'events'> {
	return {
		session: async () => ok(sampleSession('k3f9')),
		events: async (_, { after = 0, limit = 500 } = {}) =>
			after >= failsAt ? err(new AppError('cannot_start', 'No runner answers.')) : ok(lines.slice(after, after + limit)),
	};
}

function line(place: number): StoredLine {
	const stored = { seqNo: place, offset: place, stream: streamId.parse('k3f9'), sessionId: ID, runnerId: runnerId.parse('r') };
	return { ...stored, projectId: projectId.parse('/p'), ts: 1, receivedAt: 2, v: 1, event: sampleEvent('k3f9', place) };
}

const LINES = Array.from({ length: 1_201 }, (_, index) => line(index + 1));

describe('writing a session to a file', () => {
	it('writes the session and every line of it, for the owner alone, and says where', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'out.jsonl');
		expect(await exportSession(recordOf(LINES), ID, path)).toBe(`Wrote 1201 events to ${path}.`);
		const [head = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
		expect(JSON.parse(head)).toEqual({ export: 1, session: sampleSession('k3f9') });
		expect(lines.map((text) => storedLine.parse(JSON.parse(text)).offset)).toEqual(LINES.map(({ offset }) => offset));
		expect((await stat(path)).mode & 0o777).toBe(0o600);
	});

	it('never replaces a file', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'out.jsonl');
		await exportSession(recordOf(LINES), ID, path);
		expect(await exportSession(recordOf([]), ID, path)).toBe(`${path} exists or cannot be written: name a new file.`);
		expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(1_203);
	});

	it('says that the file is not complete where the runner went away', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'out.jsonl');
		expect(await exportSession(recordOf(LINES, 500), ID, path)).toBe(`${path} is not complete: No runner answers.`);
	});
});
