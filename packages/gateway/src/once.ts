// A command is carried out once for each id: a repeat, also over another connection, gets the first result.
import { createHash } from 'node:crypto';
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';

export type Once = {
	/** `command` is the whole command, so that an id that is used for another one is noticed. */
	run(id: string, command: readonly unknown[], carryOut: () => Promise<Result<unknown>>): Promise<Result<unknown>>;
};

export function createOnce(keptResults: number): Once {
	const kept = new Map<string, { hash: string; result: Promise<Result<unknown>> }>();
	return {
		run(id, command, carryOut) {
			const hash = hashOf(command);
			const first = kept.get(id);
			if (first) return first.hash === hash ? first.result : Promise.resolve(err(otherCommand(id)));
			const result = carryOut();
			kept.set(id, { hash, result });
			const oldest = kept.keys().next();
			if (kept.size > keptResults && !oldest.done) kept.delete(oldest.value);
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
