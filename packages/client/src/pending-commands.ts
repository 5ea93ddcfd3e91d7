// Commands that wait for their result: said again after each reconnect under the same id, until answered or given up.
import type { Winner } from '@roost/protocol/api/answers';
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import { AppError, type WireError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import type { Reply } from './api-call.ts';

export type Command = Extract<ClientFrame, { id: string }>;

export type PendingCommands = {
	run(command: Command): Promise<Reply<void>>;
	resend(): void;
	settle(result: CommandResult): void;
	/** Ends every waiting command, and every later one, with this error. */
	giveUp(error: AppError): void;
};

type CommandResult = { id: string; ok: boolean; error?: WireError | undefined; winner?: Winner | undefined };

/** A runner lets one client wait for no more; and more than a person answers while it is away. */
const MOST_WAITING = 64;

export function createPendingCommands(send: (command: Command) => void): PendingCommands {
	const waiting = new Map<string, { command: Command; settle: (result: Reply<void>) => void }>();
	let givenUp: AppError | undefined;
	return {
		run(command) {
			if (givenUp !== undefined) return Promise.resolve(err(givenUp));
			if (waiting.size >= MOST_WAITING) {
				return Promise.resolve(err(new AppError('too_large', 'Too many answers wait for the runner. Wait until it is back.')));
			}
			return new Promise((settle) => {
				waiting.set(command.id, { command, settle });
				send(command);
			});
		},
		resend() {
			for (const { command } of [...waiting.values()]) send(command);
		},
		settle(result) {
			const entry = waiting.get(result.id);
			waiting.delete(result.id);
			entry?.settle(toReply(result));
		},
		giveUp(error) {
			givenUp ??= error;
			for (const { settle } of waiting.values()) settle(err(givenUp));
			waiting.clear();
		},
	};
}

function toReply({ ok: succeeded, error, winner }: CommandResult): Reply<void> {
	if (succeeded) return ok(undefined);
	return { ...err(toAppError(error)), ...(winner === undefined ? {} : { winner }) };
}

function toAppError(error: WireError | undefined): AppError {
	if (error === undefined) return new AppError('internal', 'The runner refused and did not say why. Look at its log.');
	return new AppError(error.code, error.message);
}
