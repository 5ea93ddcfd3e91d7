// Connects the page to what serves it: the device logs in, and the API and the sockets of each runner use its bearer.

import type { ApiDeps, Fetch } from '@roost/client/api-call';
import { createStreamClient, type StreamClient } from '@roost/client/stream-client';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { API } from '@roost/protocol/contract/api-path';
import { toRunnerPath } from '@roost/protocol/contract/of-runner';
import type { RunnerId } from '@roost/protocol/ids';
import { openBrowserSocket } from '../device/browser-socket.ts';
import { createDevice, type Device } from '../device/device.ts';
import { forgetNotifications } from '../device/notifications.ts';
import { readServer, rememberedKind, rememberKind } from '../device/server-kind.ts';
import { type Link, takeLink } from '../device/take-link.ts';
import { type PageWorker, startWorker } from '../device/worker.ts';
import { announceAsks } from './announce.ts';
import { createFleet, type Fleet, type OpenedRunner } from './fleet.ts';
import { followRunners } from './follow-runners.ts';
import { forgetSeenAt } from './offline.ts';
import { onReturn } from './on-return.ts';
import { createOwnVersion } from './own-version.ts';
import { createPageApi, type PageApi } from './page-api.ts';
import { createPageSource, type PageSource } from './page-source.ts';
import { createPrepare } from './prepare-call.ts';
import { browserTimers, NEARBY, pause } from './timing.ts';
import { toShown } from './use-world.ts';

export type Connected = {
	readonly source: PageSource;
	readonly api: PageApi;
	/** For clients of further operations, such as those of a hub. */
	readonly calls: ApiDeps;
	readonly stream: StreamClient;
	readonly worker: PageWorker;
	/** A socket of this runner, by its path on one that serves itself. If it refuses this browser, the page is logged out. */
	openSocket(path: string): TerminalSocket;
	logOut(): Promise<void>;
};

export type Entrance = {
	readonly fleet: Fleet;
	/** Of the server itself, which may have no runner yet. */
	readonly api: PageApi;
	/** Whether this browser was registered just now. */
	readonly isNew: boolean;
	logOut(): Promise<void>;
};

export function connect(): Entrance {
	const link = takeLink();
	if (link) rememberKind(link.from);
	const device = createDevice();
	const registered = link === undefined ? Promise.resolve(undefined) : register(device, link);
	/** The ticket has to be used before this browser has a bearer. */
	const ready: Pick<Device, 'bearer' | 'forgetBearer'> = { ...device, bearer: () => registered.then(device.bearer) };
	const worker = startWorker();
	const token = () => ready.bearer().then((bearer) => bearer ?? Promise.reject(new Error('not logged in')));
	const calls: ApiDeps = { baseUrl: location.origin, token, face: 'web', fetch: fetchAgain(device) };
	const api = createPageApi(calls);
	const fleet = createFleet(openRunner);
	const version = createOwnVersion(worker);

	/** By its user, which its sockets notice first. */
	let isLeaving = false;

	function onLoggedOut(): void {
		if (!isLeaving) void registered.then((problem) => fleet.logOut(problem ?? ''));
	}

	async function logOut(): Promise<void> {
		// A registration that is on its way would bring the device back.
		await registered;
		isLeaving = true;
		await device.logOut();
		forgetSeenAt();
		await forgetNotifications(worker);
		fleet.logOut('Logged out. This browser is no longer a device.');
	}

	function openRunner(id: RunnerId | undefined): OpenedRunner {
		const toPath = (path: string) => (id === undefined ? path : toRunnerPath(path, encodeURIComponent(id)));
		const openSocket = (path: string) => openBrowserSocket(toPath(path), { device: ready, onLoggedOut });
		const stream = openStream(() => openSocket(`${API}/stream`));
		let made: PageSource | undefined;
		const own = id === undefined ? calls : { ...calls, runner: id, prepare: createPrepare(id, () => made?.world()) };
		const ownApi = createPageApi(own);
		// A seal travels in a header, so answers for a runner of a hub are requests.
		const answers = id === undefined ? stream : ownApi.asks;
		const source = createPageSource({ api: ownApi, stream, answers, now: Date.now, newId, pause });
		made = source;
		const stop = wakeOnReturn(stream);
		if (id === undefined) version.follow(stream, source.report);
		return {
			connected: { source, api: ownApi, calls, stream, worker, openSocket, logOut },
			shown: toShown(source),
			close() {
				stop();
				void stream[Symbol.asyncDispose]();
			},
		};
	}

	async function start(): Promise<void> {
		const kind = rememberedKind() ?? (await readServer())?.kind ?? 'runner';
		if (kind === 'runner') fleet.takeOwn();
		else followRunners({ fleet, bearer: ready.bearer, onLoggedOut, list: api.runners.list, version });
	}

	// Without waiting, where it is known: the first reads begin at once.
	if (rememberedKind() === 'runner') fleet.takeOwn();
	else void start();
	announceAsks(fleet, worker);
	return { fleet, api, isNew: link !== undefined, logOut };
}

function newId(): string {
	return crypto.randomUUID();
}

/** Returns the function that stops it. */
function wakeOnReturn(stream: Pick<StreamClient, 'wake' | 'setVisible'>): () => void {
	const show = () => stream.setVisible(document.visibilityState === 'visible');
	document.addEventListener('visibilitychange', show);
	const stop = onReturn(stream.wake);
	return () => {
		document.removeEventListener('visibilitychange', show);
		stop();
	};
}

/** Without key storage there is no device. */
async function register(device: Device, { ticket }: Link): Promise<string | undefined> {
	try {
		return await device.register(ticket);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return `This browser cannot keep a device key (${why}). Use a current browser outside private mode.`;
	}
}

function openStream(openSocket: () => TerminalSocket): StreamClient {
	return createStreamClient({
		openSocket() {
			const { sendText: send, ...socket } = openSocket();
			return { ...socket, send };
		},
		now: () => performance.now(),
		random: Math.random,
		newId,
		backoff: NEARBY,
		timers: browserTimers,
	});
}

/** A bearer of an earlier runner is invalid: the second try has a new one. */
function fetchAgain(device: Device): Fetch {
	const send: Fetch = (url, init) => fetch(url, { ...init, credentials: 'omit' });
	return async (url, init) => {
		const reply = await send(url, init);
		if (reply.status !== 401) return reply;
		device.forgetBearer();
		const bearer = await device.bearer();
		return bearer === undefined
			? reply
			: await send(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${bearer}` } });
	};
}
