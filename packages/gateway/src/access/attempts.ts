// Counts wrong credentials per remote address. Valid ones always pass: on loopback all processes share an address,
// and a process that guesses must not lock the user out.
const MINUTE = 60_000;
const MAX_ADDRESSES = 1_000;

export type Attempts = {
	/** Counts a wrong credential; true while the address is within its limit. */
	wrong(address: string): boolean;
};

export function createAttempts(deps: { now: () => number; perMinute: number }): Attempts {
	const byAddress = new Map<string, number[]>();
	return {
		wrong(address) {
			const since = deps.now() - MINUTE;
			const recent = (byAddress.get(address) ?? []).filter((at) => at > since);
			const within = recent.length < deps.perMinute;
			if (within) recent.push(deps.now());
			byAddress.delete(address);
			byAddress.set(address, recent);
			const oldest = byAddress.keys().next();
			if (byAddress.size > MAX_ADDRESSES && !oldest.done) byAddress.delete(oldest.value);
			return within;
		},
	};
}
