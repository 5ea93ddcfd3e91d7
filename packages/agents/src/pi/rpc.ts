// Commands to a running Pi and their replies, matched by id, with timeouts.
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { JsonObject } from '../base/json-object.ts';
import type { PiRecord } from './records.ts';

export type PiRpc = ReturnType<typeof createPiRpc>;

const REPLY_MS = 30_000;

type Pending = { command: string; settle: (result: Result<unknown>) => void };

export function createPiRpc(deps: { write: (line: string) => void; timers: Timers }) {
	const pending = new Map<string, Pending>();
	let closed: string | undefined;
	let count = 0;

	/** Older versions omit the id of an error: it belongs to the oldest command of that name. */
	function whose({ id, command }: { id: string | undefined; command: string }): string | undefined {
		if (id !== undefined) return id;
		return [...pending].find(([, waiting]) => waiting.command === command)?.[0];
	}

	return {
		ask(command: JsonObject & { type: string }, limitMs: number = REPLY_MS): Promise<Result<unknown>> {
			count += 1;
			const id = `roost-${count}`;
			return new Promise((resolve) => {
				if (closed !== undefined) return resolve(failed(closed));
				const forget = deps.timers.after(limitMs, () => settle(failed(`Pi did not answer to "${command.type}" in time.`)));
				const settle = (result: Result<unknown>) => {
					pending.delete(id);
					forget();
					resolve(result);
				};
				pending.set(id, { command: command.type, settle });
				// A failed write is reported by the end of the process.
				deps.write(JSON.stringify({ ...command, id }));
			});
		},
		/** Without a reply. */
		notify: (record: JsonObject) => deps.write(JSON.stringify(record)),
		receive(reply: Extract<PiRecord, { type: 'reply' }>): void {
			const id = whose(reply);
			const waiting = id === undefined ? undefined : pending.get(id);
			waiting?.settle(reply.failure === undefined ? ok(reply.data) : failed(reply.failure));
		},
		close(why: string): void {
			closed = why;
			for (const { settle } of [...pending.values()]) settle(failed(why));
		},
	};
}

function failed(message: string): Result<never> {
	return err(new AppError('agent_failed', message));
}
