// roost export: a session as a file that can be handed on and checked against its chain.
import { open } from 'node:fs/promises';
import { AppError } from '@roost/protocol/app-error';
import { sessionStream } from '@roost/protocol/ids';
import { loadRecord } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
import { write } from '../output/write.ts';

export async function exportSession(session: string, options: { out?: string; json?: boolean }): Promise<void> {
	const { openRecord, findSession, readStream } = await loadRecord();
	const record = openRecord(process.env);
	if (!record.ok) return fail(record.error, options);
	await using store = record.value;
	const found = findSession(store, session);
	if (!found.ok) return fail(found.error, options);
	const report = store.verify(sessionStream(found.value.id));
	if (!report.ok) return fail(report.error, options);
	if (!report.value.intact) {
		return fail(
			new AppError('corrupt', `The record of ${found.value.id} is not intact: run "roost verify ${found.value.id}".`),
			options,
		);
	}

	await using target = await openTarget(options.out);
	if (!target) return fail(new AppError('usage', `${options.out} exists or cannot be written: name a new file.`), options);
	const head = report.value.streams[0]?.head;
	await write(target.stream, [
		JSON.stringify({ export: 1, session: found.value, events: report.value.streams[0]?.events ?? 0, head }),
	]);
	for (const page of readStream(store, found.value.id, 0)) {
		if (!page.ok) return fail(page.error, options);
		await write(
			target.stream,
			page.value.map((entry) => entry.line),
		);
	}
}

/** Null when the file cannot be made; it is never overwritten. */
async function openTarget(path: string | undefined) {
	if (!path) return { stream: process.stdout, async [Symbol.asyncDispose]() {} };
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
		// The caller says it in one sentence.
		return null;
	}
}
