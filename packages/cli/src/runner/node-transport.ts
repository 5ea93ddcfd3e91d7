// HTTP and WebSocket connections to the runner. Node's own `fetch` takes longer to load than most commands take to run.
import { request } from 'node:http';
import type { Fetch } from '@roost/client/api-call';
import type { Socket } from '@roost/client/socket';
import type { TerminalSocket } from '@roost/client/terminal-socket';

const SILENCE_MS = 300_000;

export const nodeFetch: Fetch = (url, { method, headers, body }) => {
	const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Fetch>>>();
	const sent = request(url, { method, headers }, (reply) => {
		const parts: Buffer[] = [];
		reply.on('data', (part: Buffer) => parts.push(part));
		reply.on('error', reject);
		reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: async () => Buffer.concat(parts).toString('utf8') }));
	});
	sent.on('error', reject);
	sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error(`no answer in ${SILENCE_MS / 1_000} seconds`)));
	sent.end(body);
	return promise;
};

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
