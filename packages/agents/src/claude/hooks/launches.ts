// The launches a hook server serves, each known by a secret that only its own agent holds.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { LaunchRuntime } from './launch-runtime.ts';

export type Launches = {
	open(gate: GateMode): { secret: string; launch: LaunchRuntime };
	find(secret: string | undefined): LaunchRuntime | undefined;
	close(secret: string): void;
	closeAll(): void;
};

export function createLaunches(createLaunch: (gate: GateMode) => LaunchRuntime): Launches {
	const bySecret = new Map<string, { bytes: Buffer; launch: LaunchRuntime }>();
	return {
		open(gate) {
			const secret = randomBytes(32).toString('base64url');
			const launch = createLaunch(gate);
			bySecret.set(secret, { bytes: Buffer.from(secret), launch });
			return { secret, launch };
		},
		find(secret) {
			if (secret === undefined) return undefined;
			const bytes = Buffer.from(secret);
			let found: LaunchRuntime | undefined;
			// All are compared, each in constant time: how long it takes tells nothing about a secret but its length.
			for (const entry of bySecret.values()) {
				if (entry.bytes.length === bytes.length && timingSafeEqual(entry.bytes, bytes)) found = entry.launch;
			}
			return found;
		},
		close(secret) {
			bySecret.get(secret)?.launch.runtime.stop();
			bySecret.delete(secret);
		},
		// The secrets stay valid: whoever still asks gets an answer that fits its gate, not an error.
		closeAll() {
			for (const { launch } of bySecret.values()) launch.runtime.stop();
		},
	};
}
