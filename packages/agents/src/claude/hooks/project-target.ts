// The reports of a project whose hooks are installed: one secret for all its sessions, so one Runtime per native session.
// Nothing is decided here: the agents of such a project are observed, whoever they ask.
import type { Runtime } from '@roost/core/runtime/runtime';
import type { HookTarget } from './hook-targets.ts';
import type { LaunchRuntime } from './launch-runtime.ts';

export function createProjectTarget(deps: {
	createRuntime: () => LaunchRuntime;
	/** Told of a session before its first report. */
	onSession: (runtime: Runtime, nativeId: string) => void;
}): HookTarget {
	const byNativeId = new Map<string, LaunchRuntime>();

	function sessionOf(nativeId: string): LaunchRuntime {
		const known = byNativeId.get(nativeId);
		if (known) return known;
		const opened = deps.createRuntime();
		byNativeId.set(nativeId, opened);
		deps.onSession(opened.runtime, nativeId);
		return opened;
	}

	return {
		accept: (envelope, answer) => sessionOf(envelope.session_id).accept(envelope, answer),
		// Said of a line that names no session: there is no record it belongs to.
		report: () => {},
		stop() {
			for (const { runtime } of byNativeId.values()) runtime.stop();
			byNativeId.clear();
		},
	};
}
