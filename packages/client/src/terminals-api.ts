// Terminals over HTTP: which there are, a new one, and the end of one.
import { type OpenTerminal, type TerminalRow, terminalRow } from '@roost/protocol/api/terminals';
import type { TerminalId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';
import { API, type ApiCall, nothing } from './api-call.ts';

/** Each command has an id that its caller made: said again with the same one, it does nothing twice. */
export type TerminalsApi = {
	/** Also those that ended a moment ago. */
	list(): Promise<Result<TerminalRow[]>>;
	/** The user's shell in a folder of a project. */
	open(commandId: string, body: OpenTerminal): Promise<Result<TerminalRow>>;
	close(commandId: string, id: TerminalId): Promise<Result<void>>;
};

const PATH = [...API, 'terminals'] as const;

export function createTerminalsApi(call: ApiCall): TerminalsApi {
	return {
		list: () => call({ method: 'GET', path: PATH }, z.array(terminalRow)),
		open: (commandId, body) => call({ method: 'POST', path: PATH, body: { ...body, commandId } }, terminalRow),
		close: (commandId, id) => call({ method: 'POST', path: [...PATH, id, 'close'], body: { commandId } }, nothing),
	};
}
