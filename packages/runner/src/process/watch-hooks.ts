// A hook server whose replies are timed, from an agent's report to the reply. What a person decided takes a person's time and is not counted.
import type { HookServer } from '@roost/agents/hooks/server';
import type { Runtime } from '@roost/core/runtime/runtime';

export type WatchDeps = { now: () => number; onAnswered: (ms: number) => void };

export function watchHooks(server: HookServer, deps: WatchDeps): HookServer {
	return {
		...server,
		openLaunch: (launch) => watched(server.openLaunch(launch), deps),
		resumeLaunch: (launch) => watched(server.resumeLaunch(launch), deps),
	};
}

function watched<T extends { readonly runtime: Runtime }>(launch: T, { now, onAnswered }: WatchDeps): T {
	const since = new Map<string, number>();
	launch.runtime.onEvent(({ id, interaction }) => {
		if (interaction.expectsDecision) since.set(id, now());
	});
	launch.runtime.onDecision((id, { source }) => {
		const from = since.get(id);
		since.delete(id);
		if (from !== undefined && source === 'rule') onAnswered(now() - from);
	});
	return launch;
}
