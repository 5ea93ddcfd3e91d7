// Who is connected: each socket with its face and the device that opened it, so that a revoked device loses its sockets.
import type { Caller } from '../access/caller.ts';
import type { Logins } from '../access/logins.ts';

export type Admitted<T> = Disposable & {
	add(member: T, caller: Caller): void;
	/** False for one whose device was revoked, although its socket may still be closing. */
	has(member: T): boolean;
	remove(member: T): void;
	members(): T[];
	faces(): string[];
};

export function createAdmitted<T>(logins: Pick<Logins, 'onEnd'>, expel: (member: T) => void): Admitted<T> {
	const callers = new Map<T, Caller>();
	const stop = logins.onEnd((ended) => {
		for (const [member, caller] of [...callers]) {
			if (caller.via !== 'device' || caller.device !== ended) continue;
			callers.delete(member);
			expel(member);
		}
	});
	return {
		add: (member, caller) => void callers.set(member, caller),
		has: (member) => callers.has(member),
		remove: (member) => void callers.delete(member),
		members: () => [...callers.keys()],
		faces: () => [...callers.values()].map(({ principal }) => principal.face),
		[Symbol.dispose]: stop,
	};
}
