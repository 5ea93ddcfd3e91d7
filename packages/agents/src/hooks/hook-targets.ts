// Targets of hook reports by the digest of their secret: launches, and projects with installed hooks.
import { hash, randomBytes } from 'node:crypto';
import type { Runtime } from '@roost/core/runtime/runtime';
import { ok } from '@roost/protocol/result';
import type { HookProtocol, LaunchRuntime } from './launch-runtime.ts';

export type HookTarget = Pick<LaunchRuntime, 'accept' | 'report'> & {
	/** Answers pending requests. */
	stop(): void;
};

export type HookTargets = ReturnType<typeof createHookTargets>;

type TargetSource = { find(digest: string): HookTarget | undefined; stopAll(): void };

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

/** Undefined where it is not installed. */
export type FindProject = (digest: string) => ProjectReports | undefined;

export function createProjectTargets(find: FindProject, createRuntime: (protocol: HookProtocol) => LaunchRuntime): TargetSource {
	const byDigest = new Map<string, HookTarget>();

	function remove(digest: string): undefined {
		byDigest.get(digest)?.stop();
		byDigest.delete(digest);
	}

	function open(digest: string, project: ProjectReports): HookTarget {
		const target = byDigest.get(digest) ?? createProjectTarget(project, () => createRuntime(project.protocol));
		byDigest.set(digest, target);
		return target;
	}

	return {
		find(digest) {
			const project = find(digest);
			return project ? open(digest, project) : remove(digest);
		},
		stopAll() {
			for (const target of byDigest.values()) target.stop();
		},
	};
}

type ProjectReports = {
	readonly protocol: HookProtocol;
	/** Called before the first report of a session; the result is disposed of after the last. */
	openSession(nativeId: string, runtime: Runtime): Disposable;
};

type Session = LaunchRuntime & { opened: Disposable };

/** Sessions without an end are forgotten after this many others. */
const MAX_SESSIONS = 256;
const LONGEST_ID = 200;

export function createProjectTarget(
	project: Pick<ProjectReports, 'openSession'>,
	createRuntime: () => LaunchRuntime,
	maxSessions = MAX_SESSIONS,
): HookTarget {
	/** Most recent last. */
	const byNativeId = new Map<string, Session>();

	function sessionOf(nativeId: string): Session {
		const session = byNativeId.get(nativeId) ?? openSession(nativeId);
		byNativeId.delete(nativeId);
		byNativeId.set(nativeId, session);
		const [oldest] = byNativeId.keys();
		if (byNativeId.size > maxSessions && oldest !== undefined) forget(oldest);
		return session;
	}

	function openSession(nativeId: string): Session {
		const session = createRuntime();
		const opened = project.openSession(nativeId, session.runtime);
		session.runtime.start();
		return { ...session, opened };
	}

	function forget(nativeId: string): void {
		const session = byNativeId.get(nativeId);
		byNativeId.delete(nativeId);
		session?.runtime.stop();
		session?.opened[Symbol.dispose]();
	}

	return {
		accept(envelope, answer) {
			const nativeId = envelope.session_id;
			// A report without a session cannot be recorded; the agent continues.
			if (!nativeId || nativeId.length > LONGEST_ID) {
				answer({ action: 'passthrough' });
				return ok({ abandon: () => {} });
			}
			const accepted = sessionOf(nativeId).accept(envelope, answer);
			if (envelope.hook_event_name === 'SessionEnd') forget(nativeId);
			return accepted;
		},
		// A line without a session cannot be recorded.
		report: () => {},
		stop() {
			for (const nativeId of [...byNativeId.keys()]) forget(nativeId);
		},
	};
}
