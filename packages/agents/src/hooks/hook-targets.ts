// Who may report to a hook server: each target is known by the digest of a secret that only its own agents hold.
import { hash, randomBytes } from 'node:crypto';
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
	/** Asked for whoever was not added. */
	lookAlsoIn(source: TargetSource): void;
	stopAll(): void;
};

export type TargetSource = { find(digest: string): HookTarget | undefined; stopAll(): void };

export function createHookTargets(): HookTargets {
	const byDigest = new Map<string, HookTarget>();
	const sources: TargetSource[] = [];

	function findByDigest(digest: string): HookTarget | undefined {
		const known = byDigest.get(digest);
		if (known) return known;
		for (const source of sources) {
			const found = source.find(digest);
			if (found) return found;
		}
		return undefined;
	}

	return {
		add: (digest, target) => void byDigest.set(digest, target),
		// Looked up by digest: how long it takes tells nothing about a secret.
		find: (secret) => (secret === undefined ? undefined : findByDigest(digestOf(secret))),
		remove(digest) {
			byDigest.get(digest)?.stop();
			byDigest.delete(digest);
		},
		lookAlsoIn: (source) => void sources.push(source),
		// The secrets stay valid: whoever still asks gets an answer that fits its gate, not an error.
		stopAll() {
			for (const target of byDigest.values()) target.stop();
			for (const source of sources) source.stopAll();
		},
	};
}

export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** What may be kept of a secret: enough to recognise it, nothing to use. */
export function digestOf(secret: string): string {
	return hash('sha256', secret);
}
