// Targets of hook reports, found by the digest of a secret that only their own agents have.
import { hash, randomBytes } from 'node:crypto';
import type { LaunchRuntime } from './launch-runtime.ts';

export type HookTarget = Pick<LaunchRuntime, 'accept' | 'report'> & {
	/** Answers pending requests. */
	stop(): void;
};

export type HookTargets = ReturnType<typeof createHookTargets>;

export type TargetSource = { find(digest: string): HookTarget | undefined; stopAll(): void };

export function createHookTargets() {
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
		add: (digest: string, target: HookTarget) => void byDigest.set(digest, target),
		// Lookup by digest: its timing reveals nothing about a secret.
		find: (secret: string | undefined) => (secret === undefined ? undefined : findByDigest(digestOf(secret))),
		/** Stops it; its secret is invalid afterwards. */
		remove(digest: string): void {
			byDigest.get(digest)?.stop();
			byDigest.delete(digest);
		},
		/** A source for digests that were not added. */
		lookAlsoIn: (source: TargetSource) => void sources.push(source),
		// The secrets stay valid, so that late requests get an answer that fits their gate.
		stopAll(): void {
			for (const target of byDigest.values()) target.stop();
			for (const source of sources) source.stopAll();
		},
	};
}

export function newSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** Recognises a secret and cannot be used as one. */
export function digestOf(secret: string): string {
	return hash('sha256', secret);
}
