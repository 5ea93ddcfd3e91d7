// A command that a hub keeps for a runner that is away: no result yet, and no failure either.
import { AppError } from '@roost/protocol/app-error';
import { type QueuedCommand, queuedCommand } from '@roost/protocol/hub/runners';

export type QueuedReply = { readonly ok: false; readonly error: AppError; readonly queued: QueuedCommand };

/** Undefined if the reply is something else. */
export function readQueued(value: unknown): QueuedReply | undefined {
	const queued = queuedCommand.safeParse(value);
	return queued.success ? { ok: false, error: toError(queued.data), queued: queued.data } : undefined;
}

/** For faces that do not show queued commands in another way. */
function toError({ expiresAt }: QueuedCommand): AppError {
	const until = new Date(expiresAt).toISOString().slice(11, 16);
	const what = `The runner is offline: the command is queued and delivered when it is back, until ${until} UTC.`;
	return new AppError('timed_out', `${what} "roost hub commands" lists and cancels queued commands.`);
}
