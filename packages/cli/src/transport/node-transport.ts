// HTTP and WebSocket connections to the runner. Node's own `fetch` takes longer to load than most commands take to run.
import { request as requestHttp } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Fetch } from '@roost/client/api-call';
import type { Socket } from '@roost/client/socket';
import type { TerminalSocket } from '@roost/client/terminal-socket';

const SILENCE_MS = 300_000;

export const nodeFetch: Fetch = (url, init) => send(url, init, {});

/** From a server of this machine, whose certificate is known and names another address. */
export function fetchPinned(certificate: string): Fetch {
	const trust = { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
	return (url, init) => send(url, init, trust);
}

async function send(url: string, { method, headers, body }: Parameters<Fetch>[1], trust: RequestOptions): ReturnType<Fetch> {
	const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Fetch>>>();
	const request = url.startsWith('https:') ? (await import('node:https')).request : requestHttp;
	const sent = request(url, { method, headers, ...trust }, (reply) => {
		const parts: Buffer[] = [];
		reply.on('data', (part: Buffer) => parts.push(part));
		reply.on('error', reject);
		reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: async () => Buffer.concat(parts).toString('utf8') }));
	});
	sent.on('error', reject);
	sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error(`no answer in ${SILENCE_MS / 1_000} seconds`)));
	sent.end(body);
	return await promise;
}

type Caller = { token: string; face: string };

export function openNodeSocket(url: string, caller: Caller): Socket {
	const socket = openSocket(url, caller);
	return { send: (text) => socket.send(text), ...handlersOf(socket) };
}

export function openNodeTerminalSocket(url: string, caller: Caller): TerminalSocket {
	const socket = openSocket(url, caller);
	socket.binaryType = 'arraybuffer';
	const isOpen = () => socket.readyState === WebSocket.OPEN;
	return {
		...handlersOf(socket),
		sendText: (text) => isOpen() && socket.send(text),
		sendBytes: (bytes) => isOpen() && socket.send(Uint8Array.from(bytes)),
		onBytes: (handler) =>
			socket.addEventListener('message', ({ data }) => {
				if (data instanceof ArrayBuffer) handler(new Uint8Array(data));
			}),
	};
}

type LateCaller = { token: () => Promise<string>; face: string };

/** Its credential is fetched first; a failure closes the socket with the reason. */
export function openNodeSocketLater(url: string, caller: LateCaller): Socket {
	const { opened, close } = openLater(url, caller);
	return {
		send: (text) => void opened.then((socket) => socket.send(text)).catch(ignoreClosed),
		...lateHandlersOf(opened, close),
	};
}

export function openNodeTerminalSocketLater(url: string, caller: LateCaller): TerminalSocket {
	const { opened, close } = openLater(url, caller);
	const whenOpen = (use: (socket: WebSocket) => void) =>
		void opened.then((socket) => socket.readyState === WebSocket.OPEN && use(socket)).catch(ignoreClosed);
	return {
		...lateHandlersOf(opened, close),
		sendText: (text) => whenOpen((socket) => socket.send(text)),
		sendBytes: (bytes) => whenOpen((socket) => socket.send(Uint8Array.from(bytes))),
		onBytes: (handler) =>
			void opened
				.then((socket) => {
					socket.binaryType = 'arraybuffer';
					socket.addEventListener('message', ({ data }) => {
						if (data instanceof ArrayBuffer) handler(new Uint8Array(data));
					});
				})
				.catch(ignoreClosed),
	};
}

function openLater(url: string, { token, face }: LateCaller): { opened: Promise<WebSocket>; close: () => void } {
	let isClosed = false;
	const opened = token().then((bearer) => {
		const socket = openSocket(url, { token: bearer, face });
		if (isClosed) socket.close();
		return socket;
	});
	return {
		opened,
		close() {
			isClosed = true;
			opened.then((socket) => socket.close()).catch(ignoreClosed);
		},
	};
}

/** Reported to `onClose`. */
function ignoreClosed(): void {}

function lateHandlersOf(opened: Promise<WebSocket>, close: () => void): Omit<Socket, 'send'> {
	const later = (add: (socket: Omit<Socket, 'send'>) => void) =>
		void opened.then((socket) => add(handlersOf(socket))).catch(ignoreClosed);
	return {
		close,
		onOpen: (handler) => later((socket) => socket.onOpen(handler)),
		onText: (handler) => later((socket) => socket.onText(handler)),
		onClose: (handler) =>
			void opened.then(
				(socket) => handlersOf(socket).onClose(handler),
				(cause: unknown) => handler(cause instanceof Error ? cause.message : String(cause)),
			),
	};
}

/** The token is in a header, which a browser could not send. */
function openSocket(url: string, { token, face }: Caller): WebSocket {
	return new WebSocket(url, { headers: { authorization: `Bearer ${token}`, 'x-roost-face': face } });
}

function handlersOf(socket: WebSocket): Omit<Socket, 'send'> {
	return {
		close: () => socket.close(),
		onOpen: (handler) => socket.addEventListener('open', handler),
		onText: (handler) =>
			socket.addEventListener('message', ({ data }) => {
				if (typeof data === 'string') handler(data);
			}),
		onClose: (handler) => socket.addEventListener('close', ({ reason }) => handler(reason)),
	};
}
