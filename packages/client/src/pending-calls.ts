// Calls without a result yet: sent again after each reconnect under the same id, until answered or given up.
import type { Winner } from '@roost/protocol/api/answers';
import type { ClientFrame } from '@roost/protocol/api/stream-frames';
import { AppError, type WireError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import type { z } from 'zod';
import type { Reply } from './api-call.ts';
import { readQueued } from './queued-reply.ts';

export type CallFrame = Extract<ClientFrame, { type: 'call' }>;

export type PendingCalls = {
	/** The reply is parsed with its schema. */
	run<T>(reply: z.ZodType<T>, frame: CallFrame): Promise<Reply<T>>;
	resend(): void;
	settle(result: CallResult): void;
	/** Ends every pending call, and every later one, with this error. */
	giveUp(error: AppError): void;
};

type CallResult = { id: string; ok: boolean; value?: unknown; error?: WireError | undefined; winner?: Winner | undefined };

/** The limit of a runner for one client. */
const MOST_WAITING = 64;

export function createPendingCalls(send: (frame: CallFrame) => void): PendingCalls {
	const waiting = new Map<string, { frame: CallFrame; settle: (result: CallResult) => void }>();
	let givenUp: AppError | undefined;
	return {
		run(reply, frame) {
			if (givenUp !== undefined) return Promise.resolve(err(givenUp));
			if (waiting.size >= MOST_WAITING) {
				return Promise.resolve(err(new AppError('too_large', 'Too many answers are pending. Wait until the runner is back.')));
			}
			return new Promise((settle) => {
				waiting.set(frame.id, { frame, settle: (result) => settle(toReply(reply, result)) });
				send(frame);
			});
		},
		resend() {
			for (const { frame } of [...waiting.values()]) send(frame);
		},
		settle(result) {
			const entry = waiting.get(result.id);
			waiting.delete(result.id);
			entry?.settle(result);
		},
		giveUp(error) {
			givenUp ??= error;
			for (const [id, { settle }] of waiting) settle({ id, ok: false, error: givenUp.toJSON() });
			waiting.clear();
		},
	};
}

function toReply<T>(reply: z.ZodType<T>, { ok, value, error, winner }: CallResult): Reply<T> {
	if (!ok) return { ...err(toAppError(error)), ...(winner === undefined ? {} : { winner }) };
	const queued = readQueued(value);
	if (queued) return queued;
	const parsed = reply.safeParse(value);
	return parsed.success ? { ok: true, value: parsed.data } : err(new AppError('internal', OTHER_FORM, { cause: parsed.error }));
}

const OTHER_FORM = 'The result of the call has another form. Check that the runner has this version.';

function toAppError(error: WireError | undefined): AppError {
	if (error === undefined) return new AppError('internal', 'The runner refused without a reason. See its log.');
	return new AppError(error.code, error.message);
}
