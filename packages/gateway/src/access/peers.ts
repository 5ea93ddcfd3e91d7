// The process behind a request: no process of an agent may call operations that decide for the user.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@roost/protocol/app-error';
import type { Operation } from '@roost/protocol/contract/operation';
import { err, type Result } from '@roost/protocol/result';
import type { Caller } from './caller.ts';

/** Names the process that sent a request, where the system can tell; refused if it belongs to an agent. */
export type JudgePeer = (connection: { localPort: number; remotePort: number }, operation: string) => Promise<Result<string>>;

export type Peers = {
	/** The same caller with its process; refused if it may not decide. */
	admit(request: IncomingMessage, caller: Caller, operation: string): Promise<Result<Caller>>;
	/** Looks up the process ahead of the next request on this connection, which takes longer than a request. */
	prepare(request: IncomingMessage, operation: string): void;
};

/** An allowed connection is checked once; each refused attempt is checked again, so that it is recorded. */
export function createPeers(judge: JudgePeer | undefined): Peers {
	const known = new WeakMap<Duplex, Promise<Result<string>>>();

	async function identify({ socket }: IncomingMessage, operation: string): Promise<Result<string> | undefined> {
		const { localPort, remotePort } = socket;
		if (!judge) return undefined;
		if (localPort === undefined || remotePort === undefined) return err(new AppError('denied', 'The connection is closed.'));
		const before = await known.get(socket);
		if (before?.ok) return before;
		const judged = judge({ localPort, remotePort }, operation);
		known.set(socket, judged);
		return await judged;
	}

	return {
		prepare(request, operation) {
			// The next request is judged again if this fails.
			identify(request, operation).catch(() => undefined);
		},
		async admit(request, caller, operation) {
			const peer = await identify(request, operation);
			if (peer && !peer.ok) return peer;
			return { ok: true, value: peer ? { ...caller, principal: { ...caller.principal, peer: peer.value } } : caller };
		},
	};
}

/** Every operation that changes something decides, unless the contract allows it to agents. */
export function isDeciding({ method, agentsMay = method === 'GET' }: Pick<Operation, 'method' | 'agentsMay'>): boolean {
	return !agentsMay;
}

/** A login takes two requests, and only the second one decides. */
export function isBeforeDeciding({ method, needs, agentsMay }: Pick<Operation, 'method' | 'needs' | 'agentsMay'>): boolean {
	return method !== 'GET' && needs === 'none' && agentsMay === true;
}
