// Launches of observed agents: the CLI starts them in the user's terminal, the runner listens to their hooks.
import { OBSERVED_IDS } from '@roost/agents/base/agent-names';
import type { HookLaunch, HookServer } from '@roost/agents/hooks/server';
import { findKind } from '@roost/agents/kinds';
import { newSessionId, newShortId } from '@roost/home/short-id';
import { type Identity, isSame, readIdentity, UNKNOWN_START } from '@roost/machine/process-identity';
import type { EnforcedLaunch, LaunchBody, LaunchDescribed, LaunchEnded, LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import type { Holder } from '../engine/session-holders.ts';
import type { Projects } from '../record/projects.ts';
import { type Bindings, createBindings, isSessionStart } from './bindings.ts';
import type { KeptLaunch, LaunchFiles } from './launch-files.ts';
import { noteEnd } from './note-end.ts';
import { noteGap } from './note-gap.ts';
import { type LaunchRoute, routeLaunch } from './route-launch.ts';

export type Launches = Disposable & {
	open(body: LaunchBody): Promise<Result<LaunchOpened>>;
	/** The session that it reports for now, or will begin. */
	describe(launchId: string): Result<LaunchDescribed>;
	end(launchId: string): Promise<Result<LaunchEnded>>;
	/** Restores the launches of an earlier runner whose command is still alive; the others are dropped. */
	resume(): void;
	/** The number of launches with a live command. A launch whose command died may still report, but keeps no runner up. */
	count(): number;
	/** Agents at work whose calls are blocked while no runner is up. */
	enforced(): readonly EnforcedLaunch[];
	/** The session that the fitting launch reports for; null where none fits. */
	sessionOf(fits: (launch: KnownLaunch) => boolean): SessionId | null;
	/** Of the commands that wait for launches. */
	pids(): readonly number[];
	/** Whether a launch with a live command reports under that native id. */
	reports(nativeId: string): boolean;
};

/** The identity of a launch: the process that waits for it, the environment of its agent, and the secret of its hooks. */
export type KnownLaunch = { pid: number | undefined; first: SessionId; digest: string };

type Open = Pick<KeptLaunch, 'agent' | 'gate'> & {
	launch: HookLaunch;
	first: SessionId;
	bindings: Bindings;
	holder: Holder;
	route: LaunchRoute;
	waiter: Identity | null;
};

/** A launch as it is kept; without a waiter it cannot be recognised later, and is not. */
type Described = Omit<KeptLaunch, 'waiter'> & { waiter: Identity | null };

export function createLaunches(deps: {
	engine: Engine;
	store: Store;
	server: HookServer;
	files: LaunchFiles;
	projects: Pick<Projects, 'at' | 'identify'>;
	/** How long an ask may wait; the hooks of a launch wait longer. */
	askTimeoutMs: number;
	now: () => number;
	warn: (message: string) => void;
}): Launches {
	const launches = new Map<string, Open>();

	function listenTo(launch: HookLaunch, described: Described): void {
		const { id, agent, first, current, project, gate, waiter } = described;
		const onCurrent = (session: SessionId) => keep({ ...described, current: session });
		const holder: Holder = { isAlive: () => !isGone(waiter) };
		const bindings = createBindings({
			holders: deps.engine.holders,
			holder,
			first,
			newSessionId,
			resumed: current,
			mayClaim: (event, row) => isSessionStart(event) && row.agent === agent && row.projectId === project.id,
			onCurrent,
		});
		const route = routeLaunch({
			engine: deps.engine,
			bindings,
			runtime: launch.runtime,
			project,
			gate,
			now: deps.now,
			onProblem: deps.warn,
		});
		launch.runtime.start();
		launches.set(id, { agent, gate, launch, first, bindings, holder, route, waiter });
	}

	function keep({ waiter, ...launch }: Described): void {
		const kept = waiter ? deps.files.keep({ ...launch, waiter }) : ok(undefined);
		if (!kept.ok) deps.warn(`launch ${launch.id} would not outlive this runner: ${kept.error.message}`);
	}

	function forget(id: string): void {
		const forgotten = deps.files.forget(id);
		if (!forgotten.ok) deps.warn(forgotten.error.message);
	}

	function reopen(kept: KeptLaunch): void {
		const protocol = findKind(kept.agent)?.observed?.protocol;
		if (!protocol) return void forget(kept.id);
		const launch = deps.server.resumeLaunch({ ...kept, protocol, longestMs: kept.askMs });
		listenTo(launch, kept);
		if (kept.httpUrl !== deps.server.httpUrl) deps.warn(unreachable(kept));
		const noted = kept.current ? noteGap(deps, kept.current, { runtime: launch.runtime, gate: kept.gate }) : ok(undefined);
		if (!noted.ok) deps.warn(noted.error.message);
	}

	function close({ launch, route, holder }: Open): void {
		launch.close();
		route[Symbol.dispose]();
		deps.engine.holders.release(holder);
	}

	return {
		async open(body) {
			const found = await deps.projects.at(body.cwd);
			if (!found.ok) return found;
			const project = found.value;
			const { httpUrl, socketPath } = deps.server;
			const { gate, agent, repository, notices } = body;
			const protocol = findKind(agent)?.observed?.protocol;
			if (!protocol) return err(notObserved(agent));
			const askMs = deps.askTimeoutMs;
			const launch = deps.server.openLaunch({ gate, protocol, repository, notices, longestMs: askMs });
			const described: Described = {
				id: newShortId(),
				agent,
				digest: launch.digest,
				gate,
				project,
				first: newSessionId(),
				current: null,
				waiter: readIdentity(body.pid),
				httpUrl,
				askMs,
			};
			keep(described);
			listenTo(launch, described);
			const hooks = { httpUrl, socketPath, secret: launch.secret, askMs };
			return ok({ launchId: described.id, sessionId: described.first, hooks });
		},
		resume() {
			const kept = deps.files.readAll();
			if (!kept.ok) return deps.warn(kept.error.message);
			for (const launch of kept.value) {
				// The file may be of an older Roost, where the path was the id.
				if (isSame(launch.waiter)) reopen({ ...launch, project: deps.projects.identify(launch.project.path) });
				else forget(launch.id);
			}
		},
		describe(launchId) {
			const open = launches.get(launchId);
			return open ? ok({ sessionId: sessionOf(open) }) : err(unknownLaunch(launchId));
		},
		async end(launchId) {
			const open = launches.get(launchId);
			if (!open) return err(unknownLaunch(launchId));
			launches.delete(launchId);
			const reported = open.bindings.current();
			if (reported) await deps.engine.sessionSettled(reported);
			close(open);
			forget(launchId);
			const sessionId = open.bindings.current();
			const noted = sessionId ? await noteEnd(deps, sessionId, open.route.last()) : ok(undefined);
			if (!noted.ok) deps.warn(noted.error.message);
			return ok({ sessionId });
		},
		count: () => [...launches.values()].filter(isWaitedFor).length,
		enforced: () =>
			[...launches.values()]
				.filter((open) => open.gate === 'enforce' && isWaitedFor(open))
				.map((open) => ({ agent: open.agent, session: sessionOf(open) })),
		sessionOf(fits) {
			const open = launches.values().find((one) => fits(toKnown(one)));
			return open ? sessionOf(open) : null;
		},
		pids: () => [...launches.values()].flatMap(({ waiter }) => (waiter && isSame(waiter) ? [waiter.pid] : [])),
		reports: (nativeId) =>
			launches.values().some(({ bindings, waiter }) => bindings.has(nativeId) && waiter !== null && isSame(waiter)),
		// Stored launches and open asks stay: these agents may outlive this runner.
		[Symbol.dispose]() {
			for (const { route } of launches.values()) route[Symbol.dispose]();
			launches.clear();
		},
	};
}

function notObserved(agent: string): AppError {
	return new AppError('bad_request', `There is no agent "${agent}" to observe: choose one of ${OBSERVED_IDS.join(', ')}.`);
}

function unknownLaunch(id: string): AppError {
	return new AppError('not_found', `There is no launch ${id}.`);
}

function sessionOf({ bindings, first }: Open): SessionId {
	return bindings.current() ?? first;
}

function isWaitedFor({ waiter }: Open): boolean {
	return waiter !== null && isSame(waiter);
}

/** Without a start time it cannot be distinguished from another process with its pid, so it counts as alive while that pid is in use. */
function isGone(waiter: Identity | null): boolean {
	if (!waiter) return false;
	return waiter.startTime === UNKNOWN_START ? readIdentity(waiter.pid) === null : !isSame(waiter);
}

function toKnown({ launch, first, waiter }: Open): KnownLaunch {
	return { pid: waiter && isSame(waiter) ? waiter.pid : undefined, first, digest: launch.digest };
}

function unreachable({ id, gate, httpUrl }: KeptLaunch): string {
	const effect = gate === 'enforce' ? 'its calls are blocked' : 'it is no longer on record';
	return `the agent of launch ${id} reports to ${httpUrl}, which is taken: ${effect} until it is started again`;
}
