// Commands that come as frames, and what became of them.
import type { ClientFrame, ServerFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow, Principal } from '@roost/protocol/ask';
import { err, type Result } from '@roost/protocol/result';
import type { AskDesk } from '../backend.ts';
import { toWireError, winnerOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { createOnce } from '../once.ts';

export type CommandFrame = Extract<ClientFrame, { type: 'approve' | 'answer' }>;

export type Commands = { run(frame: CommandFrame, by: Principal): Promise<ServerFrame> };

export function createCommands(deps: { asks: AskDesk; keptResults: number; newId: () => string; log: Log }): Commands {
	const once = createOnce<AskRow>(deps.keptResults);

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
			const result = await once.run(frame.id, [frame.type, frame.body], () => carryOut(frame, by));
			if (result.ok) return { type: 'result', id: frame.id, ok: true };
			return { type: 'result', id: frame.id, ok: false, error: toWireError(result.error), winner: winnerOf(result.error) };
		},
	};
}
