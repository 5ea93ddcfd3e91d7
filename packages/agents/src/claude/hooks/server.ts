// The hook server: two doors, HTTP and a Unix socket, into one Runtime per launch.

import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Runtime } from '@roost/core/runtime/runtime';
import { AppError, type WireError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { realTimers, type Timers } from '../../timers.ts';
import { removeDeadSockets } from './dead-sockets.ts';
import { type DoorDeps, type HttpDoor, openHttpDoor } from './http-door.ts';
import { createLaunchRuntime, type LaunchRuntimeDeps } from './launch-runtime.ts';
import { createLaunches, type Launches } from './launches.ts';
import { openSocketDoor, type SocketDoor } from './socket-door.ts';
import { hookSocketPath } from './socket-path.ts';

export type HookServer = AsyncDisposable & {
	/** `http://127.0.0.1:<port>/hook` */
	readonly httpUrl: string;
	readonly socketPath: string;
	/** One Runtime per launch credential. */
	openLaunch(launch: { gate: GateMode }): HookLaunch;
	/** Answers whatever still waits, each as its gate says, and stops listening. */
	close(): Promise<void>;
};

/** After `close` the secret opens nothing any more. */
export type HookLaunch = { readonly secret: string; readonly runtime: Runtime; close(): void };

export type HookServerDeps = {
	runDir: string;
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
	const socketPath = hookSocketPath(deps.runDir, newId());
	if (!socketPath.ok) return socketPath;
	const launches = createLaunches((gate) => createLaunchRuntime({ gate, timers, now, newId, limits }));
	const door: DoorDeps = {
		findLaunch: launches.find,
		now,
		newId,
		maxBytes: limits.maxBytes ?? MAX_BYTES,
		onRefused: (error) => deps.onRefused?.(error.toJSON()),
	};
	try {
		await removeDeadSockets(socketPath.value);
		await using opened = new AsyncDisposableStack();
		const http = opened.adopt(await openHttpDoor(door), (it) => it.close());
		const socket = opened.adopt(await openSocketDoor(door, socketPath.value), (it) => it.close());
		opened.move();
		return ok(createHookServer(launches, http, socket, socketPath.value));
	} catch (cause) {
		return err(new AppError('cannot_start', 'the hook server could not listen', { cause }));
	}
}

function createHookServer(launches: Launches, http: HttpDoor, socket: SocketDoor, socketPath: string): HookServer {
	let closed: Promise<void> | undefined;
	const close = (): Promise<void> => {
		closed ??= closeDoors();
		return closed;
	};
	return {
		httpUrl: http.url,
		socketPath,
		openLaunch({ gate }) {
			const { secret, launch } = launches.open(gate);
			return { secret, runtime: launch.runtime, close: () => launches.close(secret) };
		},
		close,
		[Symbol.asyncDispose]: close,
	};

	async function closeDoors(): Promise<void> {
		launches.closeAll();
		await Promise.all([http.close(), socket.close()]);
	}
}
