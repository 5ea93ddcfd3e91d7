// The hook server: two doors, HTTP and a Unix socket, into one Runtime per launch.
import type { Runtime } from '@roost/core/runtime/runtime';
import { realTimers, type Timers } from '@roost/machine/timers';
import { AppError, type WireError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createHookTargets, digestOf, type HookTargets, newSecret } from './hook-targets.ts';
import { type HttpListener, type ListenerDeps, openHttpListener } from './http-listener.ts';
import {
	createLaunchRuntime,
	createReportRuntime,
	type HookProtocol,
	type LaunchRuntime,
	type LaunchRuntimeDeps,
} from './launch-runtime.ts';
import { createProjectTargets, type FindProject } from './project-targets.ts';
import { openSocketListener, type SocketListener } from './socket-listener.ts';
import { hookSocketPath, removeDeadSockets } from './socket-path.ts';

export type HookServer = AsyncDisposable & {
	/** `http://127.0.0.1:<port>/hook` */
	readonly httpUrl: string;
	readonly socketPath: string;
	/** One Runtime per launch credential. */
	openLaunch(launch: LaunchOf): NewHookLaunch;
	/** A launch of an earlier server on the same doors: its agent still holds the secret, of which only the digest was kept. */
	resumeLaunch(launch: LaunchOf & { digest: string }): HookLaunch;
	/** Projects whose hooks are installed: asked for each report whose secret is none of a launch; never decided upon. */
	serveProjects(find: FindProject): void;
	/** Stops listening; who waits over HTTP is answered as its gate says, who waits on the socket is let go. */
	close(): Promise<void>;
};

/** A launch as the runner describes it. */
export type LaunchOf = Pick<LaunchRuntimeDeps, 'gate' | 'protocol' | 'repository' | 'notices' | 'longestMs'>;

/** After `close` the secret opens nothing any more. */
export type HookLaunch = { readonly digest: string; readonly runtime: Runtime; close(): void };

/** Its secret is said once: to the agent that is about to start. */
export type NewHookLaunch = HookLaunch & { readonly secret: string };

export type HookServerDeps = {
	runDir: string;
	/** The port of an earlier server, so that its launches find this one; another where it is taken. */
	port?: number;
	now: () => number;
	newId: () => string;
	timers?: Timers;
	limits?: LaunchRuntimeDeps['limits'] & { maxBytes?: number };
	/** Told of a request that belongs to no launch; nothing of it is emitted. */
	onRefused?: (error: WireError) => void;
};

const MAX_BYTES = 8 * 1024 * 1024;

export async function startHookServer(deps: HookServerDeps): Promise<Result<HookServer>> {
	const { now, newId, timers = realTimers, limits = {} } = deps;
	// The same after each restart: installed hooks and agents that outlive a runner find the next one there.
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

	/** A forwarder is hung up on, and comes back to the next server with the same request; over HTTP nobody comes back. */
	async function closeDoors(): Promise<void> {
		await socket.close();
		targets.stopAll();
		await http.close();
	}
}
