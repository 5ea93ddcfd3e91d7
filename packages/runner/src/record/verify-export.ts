// Verifies an exported session: its lines produce the head in its header, and match the record on this machine, if present.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseJson } from '@roost/core/display/parse-json';
import { plural } from '@roost/core/display/plural';
import { toSentence } from '@roost/core/display/sentence';
import { AppError } from '@roost/protocol/app-error';
import { type SessionId, sessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import type { Store } from '@roost/store/store';
import { z } from 'zod';
import { openRecord, readStream } from './record.ts';

export type ExportProof = {
	session: SessionId;
	events: number;
	/** Computed from the lines. */
	head: string;
	problems: string[];
	intact: boolean;
	/** The record on this machine has the session. */
	isOnRecord: boolean;
};

const header = z.object({
	export: z.literal(1),
	session: z.object({ id: sessionId }),
	events: z.int().nonnegative(),
	head: z.string(),
});
const place = z.object({ stream: z.string(), offset: z.number() });

export async function verifyExport(env: NodeJS.ProcessEnv, path: string): Promise<Result<ExportProof>> {
	const record = openRecord(env);
	if (!record.ok) return record;
	await using store = record.value;
	try {
		const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
		return await proveLines(lines[Symbol.asyncIterator](), store, path);
	} catch (cause) {
		return err(
			new AppError('not_found', toSentence(`"${path}" cannot be read: ${cause instanceof Error ? cause.message : cause}`), {
				cause,
			}),
		);
	}
}

async function proveLines(lines: AsyncIterator<string>, store: Store, path: string): Promise<Result<ExportProof>> {
	const first = header.safeParse(parseJson((await lines.next()).value ?? ''));
	if (!first.success) {
		const next = 'Use a file that "roost export" wrote.';
		return err(new AppError('usage', `"${path}" is not an exported session: its first line is not a header. ${next}`));
	}
	const { session, events, head } = first.data;
	const proof: ExportProof = { session: session.id, events: 0, head: '', problems: [], intact: false, isOnRecord: false };
	const failed = await walk(proof, lines, store);
	if (failed) return failed;
	if (proof.events !== events)
		proof.problems.push(`The header says ${plural(events, 'event')}, but the file has ${proof.events}.`);
	else if (proof.head !== head) proof.problems.push('The events do not match the head in the header: the file was changed.');
	return ok({ ...proof, intact: proof.problems.length === 0 });
}

/** Adds each line to the hash chain and compares it with the record. */
async function walk(proof: ExportProof, lines: AsyncIterator<string>, store: Store): Promise<Result<never> | undefined> {
	const stream = sessionStream(proof.session);
	const recorded = eachLine(store, proof.session);
	proof.head = genesisHash(stream);
	let differs = false;
	for (let next = await lines.next(); !next.done; next = await lines.next()) {
		proof.events++;
		proof.head = nextHash(proof.head, next.value);
		const found = place.safeParse(parseJson(next.value));
		const isInPlace = found.success && found.data.stream === stream && found.data.offset === proof.events;
		// One sentence for all such lines.
		if (!isInPlace && proof.problems.length === 0)
			proof.problems.push(`Line ${proof.events + 1} is not event ${proof.events} of session ${proof.session}.`);
		const kept = recorded.next().value;
		if (kept?.ok === false) return kept;
		proof.isOnRecord ||= kept !== undefined;
		if (!proof.isOnRecord || differs || kept?.value === next.value) continue;
		differs = true;
		proof.problems.push(
			kept === undefined
				? `The record on this machine ends before event ${proof.events}.`
				: `Event ${proof.events} differs from the record on this machine.`,
		);
	}
	return undefined;
}

function* eachLine(store: Store, id: SessionId): Generator<Result<string>, undefined> {
	for (const page of readStream(store, id, 0)) {
		if (!page.ok) return yield page;
		for (const { line } of page.value) yield ok(line);
	}
}
