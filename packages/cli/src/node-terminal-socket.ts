// Node's own WebSocket as the terminal client wants it, bytes included.
import type { TerminalSocket } from '@roost/client/terminal-socket';

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
