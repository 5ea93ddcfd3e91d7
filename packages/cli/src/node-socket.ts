// Node's own WebSocket as the client wants it: with the token in a header, which a browser could not send.
import type { Socket } from '@roost/client/socket';

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
