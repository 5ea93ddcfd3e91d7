// Runs a command once per ID, even if the runner is killed: a repeat gets the first result.
import type { Receipts, RunOnce } from '@roost/gateway/operations/backend';
import { sha256 } from '@roost/machine/sha256';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Receipt, Store } from '@roost/store/store';
import { runCommand } from './command.ts';

/** Commands that failed or are still running: those are not on record. */
const MOST_KEPT = 1_000;

export function createReceipts(deps: {
	store: Pick<Store, 'receipt'>;
	/** Stores a receipt without a fact. */
	keep(receipt: Receipt): Promise<Result<void>>;
	/** The result of a recorded command, if the record contains it. */
	recall(name: string, input: Readonly<Record<string, unknown>>): unknown;
	redact(result: unknown): unknown;
	now: () => number;
}): Receipts {
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
		// A failure is not stored: a repeat may succeed.
		if (!result.ok || isSaved) return result;
		const kept = await deps.keep({ id, hash, at: deps.now(), result: toText(result.value) });
		return kept.ok ? result : kept;
	}

	function answerAgain({ result }: Receipt, name: string, input: RunOnce['input']): Result<unknown> {
		if (result !== null) return ok(JSON.parse(result));
		const recalled = deps.recall(name, input);
		return recalled === undefined ? err(new AppError('conflict', UNKNOWN_OUTCOME)) : ok(recalled);
	}

	return {
		run(command) {
			const { id, name, input } = command;
			// Hashed, because a command may contain a long prompt.
			const hash = sha256(JSON.stringify([name, input]));
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

function otherCommand(id: string): AppError {
	return new AppError('conflict', `The ID "${id}" was used for another command. Use a new ID for each command.`);
}

const UNKNOWN_OUTCOME = 'The outcome of this command is unknown: Roost was stopped while it ran. Check before you retry.';
