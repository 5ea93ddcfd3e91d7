// The bus in one process: for a hub of one node, which has nobody to talk to, and for tests.
import { createListeners, warnOfFailure } from '@roost/machine/listeners';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Bus, brokenReply, disconnected, isTooLong, noReply, noResponders, tooLong } from './bus.ts';

export type LocalNetwork = { join(): Bus };

type Member = {
	listeners: Map<string, ReturnType<typeof createListeners<[string]>>>;
	served: Map<string, (text: string) => Promise<string>>;
};

export function createLocalNetwork(): LocalNetwork {
	const members = new Set<Member>();
	const others = (own: Member) => [...members].filter((member) => member !== own);

	function deliver(to: Member, subject: string, text: string): void {
		for (const error of to.listeners.get(subject)?.emit(text) ?? []) warnOfFailure('A listener of the bus', error);
	}

	return {
		join() {
			const own: Member = { listeners: new Map(), served: new Map() };
			members.add(own);
			const isConnected = () => members.has(own);
			return {
				publish(subject, text) {
					if (!isConnected() || isTooLong(text)) return;
					queueMicrotask(() => {
						for (const other of others(own)) deliver(other, subject, text);
					});
				},
				subscribe(subject, handler) {
					const listeners = own.listeners.get(subject) ?? createListeners<[string]>();
					own.listeners.set(subject, listeners);
					const remove = listeners.add(handler);
					return () => {
						remove();
						if (listeners.size() === 0 && own.listeners.get(subject) === listeners) own.listeners.delete(subject);
					};
				},
				async request(subject, text, timeoutMs) {
					if (!isConnected()) return err(disconnected());
					if (isTooLong(text)) return err(tooLong());
					const handler = others(own).flatMap(({ served }) => served.get(subject) ?? [])[0];
					return handler ? await inTime(handler(text), timeoutMs) : err(noResponders());
				},
				serve(subject, handler) {
					own.served.set(subject, handler);
					return () => {
						if (own.served.get(subject) === handler) own.served.delete(subject);
					};
				},
				isConnected,
				async [Symbol.asyncDispose]() {
					members.delete(own);
				},
			};
		},
	};
}

async function inTime(reply: Promise<string>, timeoutMs: number): Promise<Result<string>> {
	const { promise, resolve } = Promise.withResolvers<Result<string>>();
	const timer = setTimeout(() => resolve(err(noReply(timeoutMs))), timeoutMs);
	reply.then(
		(text) => resolve(ok(text)),
		(error) => {
			warnOfFailure('A reply to another node', error);
			resolve(err(brokenReply()));
		},
	);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
	}
}
