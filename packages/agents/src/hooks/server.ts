// The hook server: an HTTP and a Unix socket listener, one Runtime per launch.
import type { Runtime } from '@roost/core/runtime/runtime';
import { realTimers, type Timers } from '@roost/machine/timers';
import { AppError, type WireError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import {
	createHookTargets,
	createProjectTargets,
	digestOf,
	type FindProject,
	type HookTargets,
	newSecret,
} from './hook-targets.ts';
import { type HttpListener, type ListenerDeps, openHttpListener } from './http-listener.ts';
import {
	createLaunchRuntime,
	createReportRuntime,
	type HookProtocol,
	type LaunchRuntime,
	type LaunchRuntimeDeps,
} from './launch-runtime.ts';
import { hookSocketPath, openSocketListener, removeDeadSockets, type SocketListener } from './socket-listener.ts';

export type HookServer = AsyncDisposable & {
	/** `http://127.0.0.1:<port>/hook` */
	readonly httpUrl: string;
	readonly socketPath: string;
	openLaunch(launch: LaunchOf): NewHookLaunch;
	/** A launch of an earlier server: its agent still has the secret, of which only the digest was stored. */
	resumeLaunch(launch: LaunchOf & { digest: string }): HookLaunch;
	/** Projects with installed hooks, for secrets of no launch; their sessions are never decided on. */
	serveProjects(find: FindProject): void;
	/** Answers pending HTTP requests as their gate says; socket clients are disconnected and retry. */
	close(): Promise<void>;
};

/** A launch as the runner describes it. */
export type LaunchOf = Pick<LaunchRuntimeDeps, 'gate' | 'protocol' | 'repository' | 'notices' | 'longestMs'>;

/** After `close` the secret is invalid. */
export type HookLaunch = { readonly digest: string; readonly runtime: Runtime; close(): void };

/** The secret is available only here. */
export type NewHookLaunch = HookLaunch & { readonly secret: string };

export type HookServerDeps = {
	runDir: string;
	/** The port of an earlier server, for its launches; another one if it is taken. */
	port?: number;
	now: () => number;
	newId: () => string;
	timers?: Timers;
	limits?: LaunchRuntimeDeps['limits'] & { maxBytes?: number };
	/** A request that belongs to no launch. It is not emitted. */
	onRefused?: (error: WireError) => void;
};

const MAX_BYTES = 8 * 1024 * 1024;

export async function startHookServer(deps: HookServerDeps): Promise<Result<HookServer>> {
	const { now, newId, timers = realTimers, limits = {} } = deps;
	// Stable across restarts, for installed hooks and agents that outlive a runner.
	const socketPath = hookSocketPath(deps.runDir, 'hooks');
	if (!socketPath.ok) return socketPath;
	const targets = createHookTargets();
	const door: ListenerDeps = {
		findTarget: targets.find,
		now,
		newId,
		maxBytes: limits.maxBytes ?? MAX_BYTES,
		onRefused: (error) => deps.onRefused?.(error.toJSON()),
	};
	try {
		await removeDeadSockets(socketPath.value);
		await using opened = new AsyncDisposableStack();
		const http = opened.adopt(await openHttpListener(door, deps.port), (it) => it.close());
		const socket = opened.adopt(await openSocketListener(door, socketPath.value), (it) => it.close());
		opened.move();
		const createRuntime = (launch: LaunchOf) => createLaunchRuntime({ ...launch, timers, now, newId, limits });
		const createReporter = (protocol: HookProtocol) => createReportRuntime({ protocol, timers, now, newId, limits });
		return ok(createHookServer({ targets, createRuntime, createReporter, http, socket, socketPath: socketPath.value }));
	} catch (cause) {
		return err(new AppError('cannot_start', 'the hook server could not listen', { cause }));
	}
}

type Doors = {
	targets: HookTargets;
	createRuntime: (launch: LaunchOf) => LaunchRuntime;
	createReporter: (protocol: HookProtocol) => LaunchRuntime;
	http: HttpListener;
	socket: SocketListener;
	socketPath: string;
};

function createHookServer({ targets, createRuntime, createReporter, http, socket, socketPath }: Doors): HookServer {
	let closed: Promise<void> | undefined;
	const close = (): Promise<void> => {
		closed ??= closeDoors();
		return closed;
	};
	return {
		httpUrl: http.url,
		socketPath,
		openLaunch(launch) {
			const secret = newSecret();
			return { ...resumeLaunch({ ...launch, digest: digestOf(secret) }), secret };
		},
		resumeLaunch,
		serveProjects: (find) => targets.lookAlsoIn(createProjectTargets(find, createReporter)),
		close,
		[Symbol.asyncDispose]: close,
	};

	function resumeLaunch({ digest, ...launch }: LaunchOf & { digest: string }): HookLaunch {
		const { runtime, accept, report } = createRuntime(launch);
		targets.add(digest, { accept, report, stop: runtime.stop });
		return { digest, runtime, close: () => targets.remove(digest) };
	}

	/** Disconnected forwarders retry at the next server; HTTP clients do not. */
	async function closeDoors(): Promise<void> {
		await socket.close();
		targets.stopAll();
		await http.close();
	}
}
