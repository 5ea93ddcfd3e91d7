// Launches of observed agents: the CLI starts them in the user's terminal, the runner listens to their hooks.
import type { HookLaunch, HookServer } from '@roost/agents/claude/hooks/server';
import type { LaunchBody, LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import { type Identity, isSame, readIdentity } from '../life/process-identity.ts';
import { findProject } from '../project.ts';
import { newSessionId, newShortId } from '../short-id.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { type LaunchRoute, routeLaunch } from './route-launch.ts';

export type LaunchDesk = Disposable & {
	open(body: LaunchBody): Promise<Result<LaunchOpened>>;
	end(launchId: string): Promise<Result<LaunchEnded>>;
	/** How many agents somebody waits for; a launch whose command died is still listened to, but keeps no runner up. */
	count(): number;
	/** The session that the fitting launch reports for; null where none fits. */
	sessionOf(fits: (launch: KnownLaunch) => boolean): SessionId | null;
	/** Whether a launch that somebody waits for reports under that native id. */
	reports(nativeId: string): boolean;
};

/** What a launch is recognised by: the process that waits for it, while it lives; what its agent was told; its hooks' secret. */
export type KnownLaunch = { pid: number | undefined; first: SessionId; digest: string };

type Open = { launch: HookLaunch; first: SessionId; bindings: Bindings; route: LaunchRoute; waiter: Identity | null };

export function createLaunchDesk(deps: {
	engine: Engine;
	store: Store;
	server: HookServer;
	now: () => number;
	warn: (message: string) => void;
}): LaunchDesk {
	const launches = new Map<string, Open>();

	function close({ launch, route }: Open): void {
		launch.close();
		route[Symbol.dispose]();
	}

	return {
		async open(body) {
			const project = await findProject(body.cwd);
			const launch = deps.server.openLaunch({ gate: body.gate });
			const sessionId = newSessionId();
			const bindings = createBindings({ store: deps.store, first: sessionId, newSessionId });
			const route = routeLaunch({
				engine: deps.engine,
				bindings,
				runtime: launch.runtime,
				project,
				gate: body.gate,
				now: deps.now,
				onProblem: deps.warn,
			});
			launch.runtime.start();
			const launchId = newShortId();
			launches.set(launchId, { launch, first: sessionId, bindings, route, waiter: readIdentity(body.pid) });
			const { httpUrl, socketPath } = deps.server;
			return ok({ launchId, sessionId, hooks: { httpUrl, socketPath, secret: launch.secret } });
		},
		async end(launchId) {
			const open = launches.get(launchId);
			if (!open) return err(new AppError('not_found', `There is no launch ${launchId}.`));
			launches.delete(launchId);
			await deps.engine.settled();
			close(open);
			return ok({ sessionId: open.bindings.current() });
		},
		count: () => [...launches.values()].filter(({ waiter }) => waiter && isSame(waiter)).length,
		sessionOf(fits) {
			const open = launches.values().find((one) => fits(toKnown(one)));
			return open ? (open.bindings.current() ?? open.first) : null;
		},
		reports: (nativeId) =>
			launches.values().some(({ bindings, waiter }) => bindings.has(nativeId) && waiter !== null && isSame(waiter)),
		[Symbol.dispose]() {
			for (const open of launches.values()) close(open);
			launches.clear();
		},
	};
}

function toKnown({ launch, first, waiter }: Open): KnownLaunch {
	return { pid: waiter && isSame(waiter) ? waiter.pid : undefined, first, digest: launch.digest };
}
