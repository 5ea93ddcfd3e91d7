// Connects the page to its runner: the device logs in, the API and the sockets use its bearer.

import type { Fetch } from '@roost/client/api-call';
import { createStreamClient, type StreamClient } from '@roost/client/stream-client';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { API } from '@roost/protocol/contract/api-path';
import { openBrowserSocket } from '../device/browser-socket.ts';
import { createDevice, type Device } from '../device/device.ts';
import { forgetNotifications } from '../device/notifications.ts';
import { takeTicket } from '../device/take-ticket.ts';
import { type PageWorker, startWorker } from '../device/worker.ts';
import { announceAsks } from './announce.ts';
import { forgetSeenAt } from './offline.ts';
import { onReturn } from './on-return.ts';
import { keepOwnVersion } from './own-version.ts';
import { createPageApi, type PageApi } from './page-api.ts';
import { createPageSource, type PageSource } from './page-source.ts';
import { browserTimers, NEARBY, pause } from './timing.ts';

export type Connected = {
	readonly source: PageSource;
	readonly api: PageApi;
	readonly stream: StreamClient;
	readonly worker: PageWorker;
	/** A socket of this runner. If it refuses this browser, the page is logged out. */
	openSocket(path: string): TerminalSocket;
	logOut(): Promise<void>;
};

export function connect(): Connected {
	const ticket = takeTicket();
	const device = createDevice();
	const registered = ticket === undefined ? Promise.resolve(undefined) : register(device, ticket);
	/** The ticket has to be used before this browser has a bearer. */
	const ready: Pick<Device, 'bearer' | 'forgetBearer'> = { ...device, bearer: () => registered.then(device.bearer) };
	const openSocket = (path: string) => openBrowserSocket(path, { device: ready, onLoggedOut });
	const stream = openStream(() => openSocket(`${API}/stream`));

	function onLoggedOut(): void {
		void stream[Symbol.asyncDispose]();
		void registered.then((problem) => source.logOut(problem ?? 'You are not logged in.'));
	}

	const token = () => ready.bearer().then((bearer) => bearer ?? Promise.reject(new Error('not logged in')));
	const api = createPageApi({ baseUrl: location.origin, token, face: 'web', fetch: fetchAgain(device) });
	const source = createPageSource({ api, stream, now: Date.now, newId, pause });
	wakeOnReturn(stream);
	const worker = startWorker();
	announceAsks(source, worker);
	keepOwnVersion({ stream, worker, say: source.report });
	return {
		source,
		api,
		stream,
		worker,
		openSocket,
		async logOut() {
			// A registration that is on its way would bring the device back.
			await registered;
			await device.logOut();
			forgetSeenAt();
			await forgetNotifications(worker);
			await stream[Symbol.asyncDispose]();
			source.logOut('Logged out. This browser is no longer a device.');
		},
	};
}

function newId(): string {
	return crypto.randomUUID();
}

function wakeOnReturn(stream: Pick<StreamClient, 'wake' | 'setVisible'>): void {
	document.addEventListener('visibilitychange', () => stream.setVisible(document.visibilityState === 'visible'));
	onReturn(stream.wake);
}

/** Without key storage there is no device. */
async function register(device: Device, ticket: string): Promise<string | undefined> {
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
