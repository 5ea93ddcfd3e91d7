// Who may report to a hook server: each target is known by the digest of a secret that only its own agents hold.
import { createHash, randomBytes } from 'node:crypto';
import type { LaunchRuntime } from './launch-runtime.ts';

/** Where a report goes, and what goes wrong with one. */
export type HookTarget = Pick<LaunchRuntime, 'accept' | 'report'> & {
	/** Answers whatever still waits. */
	stop(): void;
};

export type HookTargets = {
	add(digest: string, target: HookTarget): void;
	find(secret: string | undefined): HookTarget | undefined;
	/** Stopped first; afterwards its secret opens nothing. */
	remove(digest: string): void;
	stopAll(): void;
};

export function createHookTargets(): HookTargets {
	const byDigest = new Map<string, HookTarget>();
	return {
		add: (digest, target) => void byDigest.set(digest, target),
		// Looked up by digest: how long it takes tells nothing about a secret.
		find: (secret) => (secret === undefined ? undefined : byDigest.get(digestOf(secret))),
		remove(digest) {
			byDigest.get(digest)?.stop();
			byDigest.delete(digest);
		},
		// The secrets stay valid: whoever still asks gets an answer that fits its gate, not an error.
		stopAll() {
			for (const target of byDigest.values()) target.stop();
		},
	};
}

export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** What may be kept of a secret: enough to recognise it, nothing to use. */
export function digestOf(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}
