// roost verify: verifies the record, prints a head to keep elsewhere, or compares an earlier head.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { EXIT, unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { loadVerify, loadVerifyExport } from '../runner/open-runner.ts';

type VerifyOptions = { json?: boolean; head?: string | true; file?: string };

export async function verify(session: string | undefined, options: VerifyOptions): Promise<void> {
	if (session !== undefined && options.head !== undefined) {
		throw new AppError('usage', 'A head covers the whole record. Leave out the session, or leave out --head.');
	}
	if (options.file !== undefined) return await verifyFile(options.file, session, options);
	const { verifyRecord } = await loadVerify();
	const head = typeof options.head === 'string' ? options.head : undefined;
	const proof = unwrap(await verifyRecord(process.env, { session, head }));
	if (!proof.intact) process.exitCode = EXIT.failed;
	const isHead = options.head === true && proof.head !== null;
	await print(options, proof, isHead ? [proof.head ?? ''] : toLines(proof, session !== undefined));
}

type Proof = Extract<Awaited<ReturnType<Awaited<ReturnType<typeof loadVerify>>['verifyRecord']>>, { ok: true }>['value'];

function toLines({ streams, problems, intact, fresh, covered }: Proof, isOneSession: boolean): string[] {
	const lines = streams.flatMap((stream) => [
		`${stream.problems.length === 0 ? '✓' : '✗'} ${sanitiseLine(stream.stream)}  ${plural(stream.events, 'event')}  ${stream.head.slice(0, 16)}`,
		...stream.problems.map((problem) => `    ${sanitiseLine(problem)}`),
	]);
	lines.push(...problems.map((problem) => `✗ ${sanitiseLine(problem)}`));
	if (!intact) lines.push('The record is NOT intact.');
	else if (fresh) lines.push('The record is intact. Nothing was recorded here yet, unless everything was deleted.');
	else if (isOneSession) lines.push('The record is intact. Tables are compared by "roost verify" without a session.');
	else if (covered !== null) lines.push('The record is intact.', `It matches the given head up to event ${covered}.`);
	else lines.push('The record is intact.', LIMIT);
	return lines;
}

async function verifyFile(file: string, session: string | undefined, options: VerifyOptions): Promise<void> {
	if (session !== undefined || options.head !== undefined)
		throw new AppError('usage', '--file takes neither a session nor --head: the file names its session.');
	const { verifyExport } = await loadVerifyExport();
	const proof = unwrap(await verifyExport(process.env, file));
	if (!proof.intact) process.exitCode = EXIT.failed;
	await print(options, proof, toExportLines(proof));
}

type ExportProof = Extract<
	Awaited<ReturnType<Awaited<ReturnType<typeof loadVerifyExport>>['verifyExport']>>,
	{ ok: true }
>['value'];

function toExportLines({ session, events, head, intact, problems, isOnRecord }: ExportProof): string[] {
	const lines = [`${intact ? '✓' : '✗'} session ${session}  ${plural(events, 'event')}  ${head.slice(0, 16)}`];
	lines.push(...problems.map((problem) => `    ${sanitiseLine(problem)}`));
	if (!intact) lines.push('The export is NOT intact.');
	else if (isOnRecord) lines.push('The export is intact and equals the record on this machine.');
	else lines.push('The export is intact. Its session is not on this machine, so the whole file could have been rewritten.');
	return lines;
}

const LIMIT =
	'This does not detect that the database and the heads file were rewritten together.\nKeep the output of "roost verify --head" elsewhere and compare it later to detect that.';
