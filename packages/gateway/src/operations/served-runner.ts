// A runner as a gateway serves it: below /runners/:runner, and a runner's own gateway also at the root of the API.
import { API } from '@roost/protocol/contract/api-path';
import { contract } from '@roost/protocol/contract/contract';
import { isOfRunner } from '@roost/protocol/contract/of-runner';
import type { Operation } from '@roost/protocol/contract/operation';
import type { TerminalId } from '@roost/protocol/ids';
import type { WebSocket } from 'ws';
import type { Caller } from '../access/caller.ts';
import type { Callable } from './api.ts';
import type { Backend } from './backend.ts';

/** What the sockets of a runner need. */
export type StreamBackend = Pick<Backend, 'runner' | 'log' | 'sessionRows' | 'pending' | 'onUpdate' | 'watch' | 'screens'>;

export type ServedRunner = {
	readonly backend: StreamBackend;
	/** For a runner elsewhere: its terminals are sealed, so their frames are passed on as they are. Called for one viewer. */
	readonly passTerminal?: PassTerminal | undefined;
	/** By name. */
	readonly api: ReadonlyMap<string, Callable>;
	/** The caller with the roles that it has for this runner. */
	callerOf(caller: Caller): Caller;
};

export type PassTerminal = (id: TerminalId, caller: Caller, socket: WebSocket) => PassedTerminal;

export type PassedTerminal = {
	receive(message: Buffer, isBinary: boolean): void;
	/** The viewer disconnected. */
	leave(how: 'lost' | 'left'): void;
};

export type FindRunner = (id: string) => ServedRunner | undefined;

/** The operations below /runners/:runner, by name. */
export const RUNNER_OPERATIONS: ReadonlyMap<string, Operation> = new Map(
	Object.entries(contract)
		.filter(([resource]) => isOfRunner(resource))
		.flatMap(([resource, operations]: [string, Record<string, Operation>]) =>
			Object.entries(operations).map(([name, operation]) => [`${resource}.${name}`, operation]),
		),
);

const RUNNERS = `${API}/runners/`;

/** The runner that a path names, and the path without it. */
export function splitRunnerPath(path: string): { runner: string; path: string } | undefined {
	if (!path.startsWith(RUNNERS)) return undefined;
	const end = path.indexOf('/', RUNNERS.length);
	if (end < 0) return undefined;
	return { runner: decode(path.slice(RUNNERS.length, end)), path: API + path.slice(end) };
}

/** An invalid escape names no runner. */
function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return '';
	}
}
