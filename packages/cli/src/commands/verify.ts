// roost verify: proves the record, stream by stream.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { sessionStream } from '@roost/protocol/ids';
import { loadRecord } from '../open-runner.ts';
import { EXIT, fail } from '../output/exit.ts';

export async function verify(session: string | undefined, options: { json?: boolean }): Promise<void> {
	const { openRecord, findSession } = await loadRecord();
	const record = openRecord(process.env);
	if (!record.ok) return fail(record.error, options);
	await using store = record.value;
	const found = session ? findSession(store, session) : undefined;
	if (found && !found.ok) return fail(found.error, options);
	const report = store.verify(found ? sessionStream(found.value.id) : undefined);
	if (!report.ok) return fail(report.error, options);

	if (!report.value.intact) process.exitCode = EXIT.failed;
	if (options.json) {
		process.stdout.write(`${JSON.stringify(report.value)}\n`);
		return;
	}
	for (const stream of report.value.streams) {
		process.stdout.write(
			`${stream.problems.length === 0 ? '✓' : '✗'} ${sanitiseLine(stream.stream)}  ${stream.events} events  ${stream.head.slice(0, 16)}\n`,
		);
		for (const problem of stream.problems) process.stdout.write(`    ${sanitiseLine(problem)}\n`);
	}
	process.stdout.write(report.value.intact ? `The record is intact.\n` : `The record is NOT intact.\n`);
}
