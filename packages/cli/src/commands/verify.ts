// roost verify: proves the record, prints a head to keep elsewhere, and compares an earlier one.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { EXIT, fail } from '../output/exit.ts';
import { loadVerify, loadVerifyExport } from '../runner/open-runner.ts';

type VerifyOptions = { json?: boolean; head?: string | true; file?: string };

export async function verify(session: string | undefined, options: VerifyOptions): Promise<void> {
	if (session !== undefined && options.head !== undefined) {
		return fail(new AppError('usage', 'A head covers the whole record. Leave out the session, or leave out --head.'), options);
	}
	if (options.file !== undefined) return await verifyFile(options.file, session, options);
	const { verifyRecord } = await loadVerify();
	const head = typeof options.head === 'string' ? options.head : undefined;
	const proof = await verifyRecord(process.env, { session, head });
	if (!proof.ok) return fail(proof.error, options);
	if (!proof.value.intact) process.exitCode = EXIT.failed;
	if (options.json) process.stdout.write(`${JSON.stringify(proof.value)}\n`);
	else if (options.head === true && proof.value.head !== null) process.stdout.write(`${proof.value.head}\n`);
	else print(proof.value, session !== undefined);
}

type Proof = Extract<Awaited<ReturnType<Awaited<ReturnType<typeof loadVerify>>['verifyRecord']>>, { ok: true }>['value'];

function print({ streams, problems, intact, fresh, covered }: Proof, isOneSession: boolean): void {
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
	process.stdout.write(`${lines.join('\n')}\n`);
}

async function verifyFile(file: string, session: string | undefined, options: VerifyOptions): Promise<void> {
	if (session !== undefined || options.head !== undefined)
		return fail(new AppError('usage', '--file takes neither a session nor --head: the file names its session.'), options);
	const { verifyExport } = await loadVerifyExport();
	const proof = await verifyExport(process.env, file);
	if (!proof.ok) return fail(proof.error, options);
	if (!proof.value.intact) process.exitCode = EXIT.failed;
	if (options.json) process.stdout.write(`${JSON.stringify(proof.value)}\n`);
	else printExport(proof.value);
}

type ExportProof = Extract<
	Awaited<ReturnType<Awaited<ReturnType<typeof loadVerifyExport>>['verifyExport']>>,
	{ ok: true }
>['value'];

function printExport({ session, events, head, intact, problems, isOnRecord }: ExportProof): void {
	const lines = [`${intact ? '✓' : '✗'} session ${session}  ${plural(events, 'event')}  ${head.slice(0, 16)}`];
	lines.push(...problems.map((problem) => `    ${sanitiseLine(problem)}`));
	if (!intact) lines.push('The export is NOT intact.');
	else if (isOnRecord) lines.push('The export is intact and equals the record on this machine.');
	else lines.push('The export is intact. Its session is not on this machine, so the whole file could have been rewritten.');
	process.stdout.write(`${lines.join('\n')}\n`);
}

const LIMIT =
	'This does not detect that the database and the heads file were rewritten together.\nKeep the output of "roost verify --head" elsewhere and compare it later to detect that.';
