// Runs a command once per ID, even if the runner is killed: a repeat gets the first result.

import { toPassedError, toWireError, winnerOf } from '@roost/gateway/http/errors';
import type { Receipts, RunOnce } from '@roost/gateway/operations/backend';
import { sha256 } from '@roost/machine/sha256';
import { winner } from '@roost/protocol/api/answers';
import { AppError, wireError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Receipt, Store } from '@roost/store/store';
import { runCommand } from './command.ts';

/** Commands that failed or are still running: those are not on record. */
const MOST_KEPT = 1_000;

export type RunnerReceipts = Receipts & {
	/** This ID was used; running its command again returns the first result and does nothing. */
	isKnown(id: string): Result<boolean>;
};

export function createReceipts(deps: {
	store: Pick<Store, 'receipt'>;
	/** Stores a receipt without a fact. */
	keep(receipt: Receipt): Promise<Result<void>>;
	/** The result of a recorded command, if the record contains it. */
	recall(name: string, input: Readonly<Record<string, unknown>>): unknown;
	redact(result: unknown): unknown;
	now: () => number;
}): RunnerReceipts {
	const recent = new Map<string, { hash: string; result: Promise<Result<unknown>> }>();
	const toText = (result: unknown) => JSON.stringify(deps.redact(result ?? {}));
	const toFailureText = (error: AppError) => FAILED + toText({ ...toWireError(error), winner: winnerOf(error) });

	async function runNew(command: RunOnce, hash: string): Promise<Result<unknown>> {
		const { id, name, input, outside, work, proof } = command;
		const found = deps.store.receipt(id);
		if (!found.ok) return found;
		if (found.value) return found.value.hash === hash ? answerAgain(found.value, name, input) : err(otherCommand(id));
		if (outside) {
			const claimed = await deps.keep({ id, hash, at: deps.now(), result: null });
			if (!claimed.ok) return claimed;
		}
		const { result, isSaved } = await runCommand({ id, hash, toText, proof }, work);
		if (isSaved) return result;
		if (!result.ok) {
			// Otherwise a repeat may succeed. If it cannot be stored, the failure is still the outcome.
			if (command.keepsFailure) await deps.keep({ id, hash, at: deps.now(), result: toFailureText(result.error) });
			return result;
		}
		const kept = await deps.keep({ id, hash, at: deps.now(), result: toText(result.value) });
		return kept.ok ? result : kept;
	}

	function answerAgain({ result }: Receipt, name: string, input: RunOnce['input']): Result<unknown> {
		if (result?.startsWith(FAILED)) return err(readFailure(result));
		if (result !== null) return ok(JSON.parse(result));
		const recalled = deps.recall(name, input);
		return recalled === undefined ? err(new AppError('conflict', UNKNOWN_OUTCOME)) : ok(recalled);
	}

	return {
		isKnown(id) {
			if (recent.has(id)) return ok(true);
			const found = deps.store.receipt(id);
			return found.ok ? ok(found.value !== undefined) : found;
		},
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

/** Before the JSON of a failure; the JSON of a result never begins with it. */
const FAILED = '!';
const failure = wireError.extend({ winner: winner.optional() });

function readFailure(text: string): AppError {
	const { winner: first, ...error } = failure.parse(JSON.parse(text.slice(FAILED.length)));
	return toPassedError(error, first);
}

function otherCommand(id: string): AppError {
	return new AppError('conflict', `The ID "${id}" was used for another command. Use a new ID for each command.`);
}

const UNKNOWN_OUTCOME = 'The outcome of this command is unknown: Roost was stopped while it ran. Check before you retry.';
