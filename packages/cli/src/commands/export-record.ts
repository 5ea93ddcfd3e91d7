// roost export: a session as JSON lines that can be verified against its chain. Never overwrites a file.
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { write } from '../output/print.ts';
import { loadExport, loadRecord } from '../runner/open-runner.ts';

type ExportRequest = {
	session: string;
	/** A new file; stdout if undefined. */
	out?: string | undefined;
	env: NodeJS.ProcessEnv;
};

type Exported = { events: number; path?: string };

export async function exportRecord({ session, out, env }: ExportRequest): Promise<Result<Exported>> {
	const [{ openRecord, findSession }, { exportSession }] = await Promise.all([loadRecord(), loadExport()]);
	const record = openRecord(env);
	if (!record.ok) return record;
	await using store = record.value;
	const found = findSession(store, session);
	if (!found.ok) return found;
	const report = store.verify(sessionStream(found.value.id));
	if (!report.ok) return report;
	const { events = 0, head = '' } = report.value.streams[0] ?? {};
	const pages = exportSession(store, found.value, { intact: report.value.intact, events, head });
	if (!pages.ok) return pages;

	const path = out === undefined ? undefined : resolve(out);
	await using target = await openTarget(path);
	if (!target) return err(new AppError('usage', `${out} exists or cannot be written: name a new file.`));
	for (const lines of pages.value) {
		if (!lines.ok) return lines;
		await write(target.stream, lines.value);
	}
	return ok({ events, path });
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

export async function runExport(session: string, options: { out?: string; json?: boolean }): Promise<void> {
	unwrap(await exportRecord({ session, out: options.out, env: process.env }));
}
