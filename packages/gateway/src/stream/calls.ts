// Calls of operations by frames: the same handlers and checks as over HTTP.
import type { ClientFrame, ServerFrame } from '@roost/protocol/api/stream-frames';
import { AppError } from '@roost/protocol/app-error';
import { err, type Result } from '@roost/protocol/result';
import type { Caller } from '../access/caller.ts';
import { isDeciding } from '../access/peers.ts';
import { toWireError, winnerOf } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { isAccepted, isDownload, isRawJson } from '../http/reply.ts';
import { type Callable, callFlat } from '../operations/api.ts';

export type CallFrame = Extract<ClientFrame, { type: 'call' }>;
export type CallByFrame = (frame: CallFrame) => Promise<ServerFrame>;

/** The caller with its process; refused if it is an agent that may not do this. */
type Admit = (operation: string) => Promise<Result<Caller>>;

export type Calls = { call(frame: CallFrame, caller: Caller, admit: Admit): Promise<ServerFrame> };

export function createCalls(deps: { api: ReadonlyMap<string, Callable>; newId: () => string; log: Log }): Calls {
	async function run(frame: CallFrame, caller: Caller, admit: Admit): Promise<Result<unknown>> {
		const callable = deps.api.get(frame.operation);
		if (!callable || callable.operation.upgrade)
			return err(new AppError('not_found', 'Operation not found. See /api/v1/openapi.json.'));
		const known = isDeciding(callable.operation) ? await admit(`WebSocket ${callable.name}`) : undefined;
		if (known && !known.ok) return known;
		const input = callable.operation.command ? { ...frame.input, commandId: frame.id } : frame.input;
		const result = await callFlat(callable, input, known?.value ?? caller);
		const isFile = result.ok && isDownload(result.value);
		return isFile ? err(new AppError('bad_request', `Download this with GET ${callable.operation.path}.`)) : result;
	}

	return {
		async call(frame, caller, admit) {
			try {
				return toResult(frame.id, await run(frame, caller, admit));
			} catch (cause) {
				const reference = deps.newId();
				const error = cause instanceof Error ? cause.stack : String(cause);
				deps.log({ level: 'error', msg: 'a call failed', reference, error });
				return toResult(frame.id, err(new AppError('internal', `Internal error. See the runner log at ${reference}.`)));
			}
		},
	};
}

function toResult(id: string, result: Result<unknown>): ServerFrame {
	if (result.ok) return { type: 'result', id, ok: true, value: toValue(result.value) };
	return { type: 'result', id, ok: false, error: toWireError(result.error), winner: winnerOf(result.error) };
}

function toValue(value: unknown): unknown {
	if (isAccepted(value)) return value.accepted;
	return isRawJson(value) ? JSON.parse(value.rawJson) : value;
}
