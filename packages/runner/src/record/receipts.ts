// A command is carried out once for each id, also across a kill of the runner: a repeat gets the first result.
import { createHash } from 'node:crypto';
import type { Receipts, RunOnce } from '@roost/gateway/operations/backend';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Receipt, Store } from '@roost/store/store';
import { runCommand } from './command.ts';

export type ReceiptsDeps = {
	store: Pick<Store, 'receipt'>;
	/** Puts a receipt on record by itself. */
	keep(receipt: Receipt): Promise<Result<void>>;
	/** The result of a command whose fact is on record, where the record can tell it. */
	recall(name: string, input: Readonly<Record<string, unknown>>): unknown;
	/** Takes secrets out of a result before it is stored. */
	redact(result: unknown): unknown;
	now: () => number;
};

/** Of commands that failed, or are still running: those are not on record. */
const MOST_KEPT = 1_000;

export function createReceipts(deps: ReceiptsDeps): Receipts {
	const recent = new Map<string, { hash: string; result: Promise<Result<unknown>> }>();
	const toText = (result: unknown) => JSON.stringify(deps.redact(result ?? {}));

	async function runNew(command: RunOnce, hash: string): Promise<Result<unknown>> {
		const { id, name, input, outside, work } = command;
		const found = deps.store.receipt(id);
		if (!found.ok) return found;
		if (found.value) return found.value.hash === hash ? answerAgain(found.value, name, input) : err(otherCommand(id));
		if (outside) {
			const claimed = await deps.keep({ id, hash, at: deps.now(), result: null });
			if (!claimed.ok) return claimed;
		}
		const { result, isSaved } = await runCommand({ id, hash, toText }, work);
		// A failure is not kept: nothing came of it, and a repeat may succeed.
		if (!result.ok || isSaved) return result;
		const kept = await deps.keep({ id, hash, at: deps.now(), result: toText(result.value) });
		return kept.ok ? result : kept;
	}

	function answerAgain({ result }: Receipt, name: string, input: RunOnce['input']): Result<unknown> {
		if (result !== null) return ok(JSON.parse(result));
		const recalled = deps.recall(name, input);
		return recalled === undefined ? err(unknownOutcome()) : ok(recalled);
	}

	return {
		run(command) {
			const { id, name, input } = command;
			const hash = hashOf([name, input]);
			const first = recent.get(id);
			if (first) return first.hash === hash ? first.result : Promise.resolve(err(otherCommand(id)));
			const result = runNew(command, hash);
			recent.set(id, { hash, result });
			const oldest = recent.keys().next();
			if (recent.size > MOST_KEPT && !oldest.done) recent.delete(oldest.value);
			return result;
		},
	};
}

/** A command may carry a long prompt, and many are kept. */
function hashOf(command: readonly unknown[]): string {
	return createHash('sha256').update(JSON.stringify(command)).digest('hex');
}

function otherCommand(id: string): AppError {
	return new AppError('conflict', `The id "${id}" was used for another command: make a new one for each.`);
}

function unknownOutcome(): AppError {
	return new AppError(
		'conflict',
		'The outcome of this command is unknown: Roost was stopped while it ran. Check before you retry.',
	);
}
