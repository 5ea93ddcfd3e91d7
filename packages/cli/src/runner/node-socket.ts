// Node's own WebSocket as the client wants it: with the token in a header, which a browser could not send.
import type { Socket } from '@roost/client/socket';
import type { TerminalSocket } from '@roost/client/terminal-socket';

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
