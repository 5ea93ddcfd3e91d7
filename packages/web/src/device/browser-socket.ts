// A WebSocket of this page: opened with a one-time ticket in its first frame, because a page cannot send a credential with the upgrade.
import type { Socket } from '@roost/client/socket';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import type { Device } from './device.ts';

export type BrowserSocketDeps = {
	device: Pick<Device, 'socketTicket'>;
	/** This browser is not a device any more: it was revoked, or never registered. */
	onLoggedOut: () => void;
};

export function openBrowserSocket(path: string, { device, onLoggedOut }: BrowserSocketDeps): Socket {
	let socket: WebSocket | undefined;
	let isClosed = false;
	let opened = () => {};
	let received = (_text: string) => {};
	let closed = (_reason: string) => {};

	function end(reason: string): void {
		if (isClosed) return;
		isClosed = true;
		closed(reason);
	}

	async function open(): Promise<void> {
		const ticket = await device.socketTicket(path);
		if (isClosed) return;
		if (ticket === undefined) {
			onLoggedOut();
			end('This browser is not logged in.');
			return;
		}
		socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`);
		socket.onopen = () => {
			socket?.send(JSON.stringify({ type: 'ticket', ticket }));
			opened();
		};
		socket.onmessage = ({ data }) => received(String(data));
		socket.onclose = ({ code }) => {
			if (code === NOT_ADMITTED) onLoggedOut();
			end(`The connection to the runner was closed (${code}).`);
		};
	}

	void open().catch(() => end('The runner does not answer.'));
	return {
		send: (text) => socket?.send(text),
		close() {
			isClosed = true;
			socket?.close();
		},
		onOpen(handler) {
			opened = handler;
		},
		onText(handler) {
			received = handler;
		},
		onClose(handler) {
			closed = handler;
		},
	};
}
