// Projects with installed hooks, looked up for each report: installing and uninstalling take effect at once.

import type { Runtime } from '@roost/core/runtime/runtime';
import { ok } from '@roost/protocol/result';
import type { HookTarget, TargetSource } from './hook-targets.ts';
import type { HookProtocol, LaunchRuntime } from './launch-runtime.ts';

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
