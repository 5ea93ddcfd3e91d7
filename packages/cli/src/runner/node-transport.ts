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

export function openNodeSocket(url: string, { token, face }: { token: string; face: string }): Socket {
	const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}`, 'x-roost-face': face } });
	return {
		send: (text) => socket.send(text),
		close: () => socket.close(),
		onOpen: (handler) => socket.addEventListener('open', handler),
		onText: (handler) =>
			socket.addEventListener('message', ({ data }) => {
				if (typeof data === 'string') handler(data);
			}),
		onClose: (handler) => socket.addEventListener('close', ({ reason }) => handler(reason)),
	};
}

export function openNodeTerminalSocket(url: string, { token, face }: { token: string; face: string }): TerminalSocket {
	const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}`, 'x-roost-face': face } });
	socket.binaryType = 'arraybuffer';
	const isOpen = () => socket.readyState === WebSocket.OPEN;
	return {
		sendText: (text) => isOpen() && socket.send(text),
		sendBytes: (bytes) => isOpen() && socket.send(Uint8Array.from(bytes)),
		close: () => socket.close(),
		onOpen: (handler) => socket.addEventListener('open', handler),
		onText: (handler) =>
			socket.addEventListener('message', ({ data }) => {
				if (typeof data === 'string') handler(data);
			}),
		onBytes: (handler) =>
			socket.addEventListener('message', ({ data }) => {
				if (data instanceof ArrayBuffer) handler(new Uint8Array(data));
			}),
		onClose: (handler) => socket.addEventListener('close', ({ reason }) => handler(reason)),
	};
}
