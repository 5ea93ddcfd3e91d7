// Commands that come as frames. An id is carried out once: a repeat, also over another connection, gets the first result.
import type { ClientFrame, ServerFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, Principal } from '@roost/protocol/ask';
import { err, type Result } from '@roost/protocol/result';
import type { AskDesk } from '../backend.ts';
import { toWireError, winnerOf } from '../errors.ts';
import type { Log } from '../log.ts';

export type CommandFrame = Extract<ClientFrame, { type: 'approve' | 'answer' }>;

export type Commands = { run(frame: CommandFrame, by: Principal): Promise<ServerFrame> };

export function createCommands(deps: { asks: AskDesk; keptResults: number; newId: () => string; log: Log }): Commands {
	const kept = new Map<string, { said: string; result: Promise<Result<AskRow>> }>();

	function runOnce(frame: CommandFrame, by: Principal): Promise<Result<AskRow>> {
		const said = JSON.stringify([frame.type, frame.body]);
		const first = kept.get(frame.id);
		if (first) return first.said === said ? first.result : Promise.resolve(err(otherCommand(frame.id)));
		const result = carryOut(frame, by);
		kept.set(frame.id, { said, result });
		const oldest = kept.keys().next();
		if (kept.size > deps.keptResults && !oldest.done) kept.delete(oldest.value);
		return result;
	}

	async function carryOut(frame: CommandFrame, by: Principal): Promise<Result<AskRow>> {
		try {
			const ask = deps.asks.list({ all: true }).find(({ id }) => id === frame.body.askId);
			if (!ask) return err(new AppError('not_found', 'There is no such ask: it may be long decided.'));
			if (frame.type === 'approve') return await deps.asks.approve(ask.sessionId, frame.body, by);
			return await deps.asks.answer(ask.sessionId, frame.body, by);
		} catch (cause) {
			const reference = deps.newId();
			deps.log({
				level: 'error',
				msg: 'a command failed',
				reference,
				error: cause instanceof Error ? cause.stack : String(cause),
			});
			return err(new AppError('internal', `Something went wrong here; the log says more at ${reference}.`, { cause }));
		}
	}

	return {
		async run(frame, by) {
			const result = await runOnce(frame, by);
			if (result.ok) return { type: 'result', id: frame.id, ok: true };
			return { type: 'result', id: frame.id, ok: false, error: toWireError(result.error), winner: winnerOf(result.error) };
		},
	};
}

function otherCommand(id: string): AppError {
	return new AppError('conflict', `The id "${id}" was used for another command: make a new one for each.`);
}
