// Verdicts about single sessions, as "roost verify" gives them, and exports that rely on them; neither blocks the runner.
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { programArgs, programFile } from '@roost/core/process/program-files';
import { createInTurn } from '@roost/machine/in-turn';
import { type SessionProof, sessionProof } from '@roost/protocol/api/session-proof';
import { AppError, wireError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import { z } from 'zod';
import { exportSession } from './export-session.ts';
import type { RecordFiles, RecordProof } from './verify-record.ts';

export type SessionProofs = {
	verify(id: SessionId): Promise<Result<SessionProof>>;
	/** The text of an export, a part at a time; throws where the record cannot be read any more. */
	export(id: SessionId): Promise<Result<AsyncIterable<string>>>;
};

type ProofDeps = {
	store: Pick<Store, 'read' | 'sessions'>;
	prove: (id: SessionId) => Promise<Result<SessionProof>>;
};

export function createSessionProofs({ store, prove }: ProofDeps): SessionProofs {
	function find(id: SessionId) {
		const rows = store.sessions({ id });
		if (!rows.ok) return rows;
		const [row] = rows.value;
		return row ? ok(row) : err(new AppError('not_found', 'Session not found. GET /api/v1/sessions lists sessions.'));
	}

	return {
		async verify(id) {
			const row = find(id);
			return row.ok ? await prove(id) : row;
		},
		async export(id) {
			const row = find(id);
			if (!row.ok) return row;
			const proof = await prove(id);
			if (!proof.ok) return proof;
			const pages = exportSession(store, row.value, proof.value);
			return pages.ok ? ok(toText(pages.value)) : pages;
		},
	};
}

/** Each page is read when the one before was taken. */
async function* toText(pages: Iterable<Result<string[]>>): AsyncGenerator<string> {
	for (const page of pages) {
		if (!page.ok) throw page.error;
		yield `${page.value.join('\n')}\n`;
		await setImmediate();
	}
}

/** One thread at a time: each takes a processor for seconds. */
export function createThreadProver(home: RecordFiles): ProofDeps['prove'] {
	const inTurn = createInTurn<'verify'>();
	let waiting = 0;
	return async (id) => {
		if (waiting >= MOST_WAITING) return err(new AppError('rate_limited', 'Other sessions are being verified; retry later.'));
		waiting += 1;
		try {
			return await inTurn('verify', () => proveInThread(home, id));
		} finally {
			waiting -= 1;
		}
	};
}

const MOST_WAITING = 8;

async function proveInThread({ database, runnerId }: RecordFiles, session: SessionId): Promise<Result<SessionProof>> {
	const execArgv = programArgs('verifyWorker').slice(0, -1);
	const worker = new Worker(programFile('verifyWorker'), { workerData: { home: { database, runnerId }, session }, execArgv });
	worker.unref();
	try {
		const result = posted.parse(await messageOf(worker));
		return result.ok ? ok(toSessionProof(result.value)) : err(new AppError(result.error.code, result.error.message));
	} catch (cause) {
		return err(new AppError('internal', 'The session could not be verified. Run "roost verify" instead.', { cause }));
	} finally {
		await worker.terminate();
	}
}

function messageOf(worker: Worker): Promise<unknown> {
	return new Promise((resolve, reject) => {
		worker.once('message', resolve);
		worker.once('error', reject);
		worker.once('exit', () => reject(new Error('it ended without a result')));
	});
}

const posted = z.union([
	z.object({
		ok: z.literal(true),
		value: z.object({
			intact: z.boolean(),
			problems: z.array(z.string()),
			streams: z.array(sessionProof.omit({ intact: true })),
		}),
	}),
	z.object({ ok: z.literal(false), error: wireError }),
]);

type Proven = Pick<RecordProof, 'intact' | 'problems'> & { streams: Omit<SessionProof, 'intact'>[] };

/** The report of one stream, with the problems of the record as a whole. */
export function toSessionProof({ intact, problems, streams: [stream] }: Proven): SessionProof {
	return { intact, events: stream?.events ?? 0, head: stream?.head ?? '', problems: [...(stream?.problems ?? []), ...problems] };
}
