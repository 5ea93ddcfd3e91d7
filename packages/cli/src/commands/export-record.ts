// roost export: a session as JSON lines that can be verified against its chain. Never overwrites a file.
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { write } from '../output/print.ts';
import { loadRecord } from '../runner/open-runner.ts';

type ExportRequest = {
	session: string;
	/** A new file; stdout if undefined. */
	out?: string | undefined;
	env: NodeJS.ProcessEnv;
};

type Exported = { events: number; path?: string };

export async function exportRecord({ session, out, env }: ExportRequest): Promise<Result<Exported>> {
	const { openRecord, findSession, readStream } = await loadRecord();
	const record = openRecord(env);
	if (!record.ok) return record;
	await using store = record.value;
	const found = findSession(store, session);
	if (!found.ok) return found;
	const { id } = found.value;
	const report = store.verify(sessionStream(id));
	if (!report.ok) return report;
	if (!report.value.intact) {
		return err(new AppError('corrupt', `The record of ${id} is not intact: run "roost verify ${id}".`));
	}

	const path = out === undefined ? undefined : resolve(out);
	await using target = await openTarget(path);
	if (!target) return err(new AppError('usage', `${out} exists or cannot be written: name a new file.`));
	const { events = 0, head } = report.value.streams[0] ?? {};
	await write(target.stream, [JSON.stringify({ export: 1, session: found.value, events, head })]);
	for (const lines of firstLines(readStream(store, id, 0), events)) {
		if (!lines.ok) return lines;
		await write(target.stream, lines.value);
	}
	return ok({ events, path });
}

type Page = Result<readonly { line: string }[]>;

/** Events recorded during the export come after the head, so they are left out. */
function* firstLines(pages: Iterable<Page>, count: number): Generator<Result<string[]>> {
	let left = count;
	for (const page of pages) {
		if (left === 0) return;
		if (!page.ok) return yield page;
		const lines = page.value.slice(0, left).map(({ line }) => line);
		left -= lines.length;
		yield ok(lines);
	}
}

/** Null if the file cannot be created. */
async function openTarget(path: string | undefined) {
	if (path === undefined) return { stream: process.stdout, async [Symbol.asyncDispose]() {} };
	try {
		const file = await open(path, 'wx', 0o600);
		const stream = file.createWriteStream();
		return {
			stream,
			async [Symbol.asyncDispose]() {
				await new Promise((closed) => stream.end(closed));
			},
		};
	} catch {
		// The caller reports it.
		return null;
	}
}

export async function exportSession(session: string, options: { out?: string; json?: boolean }): Promise<void> {
	unwrap(await exportRecord({ session, out: options.out, env: process.env }));
}
