// A WebSocket of this page: its first frame has the bearer, because a page cannot send a credential with the upgrade.
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { NOT_ADMITTED } from '@roost/protocol/api/devices';
import type { Device } from './device.ts';

export type BrowserSocketDeps = {
	device: Pick<Device, 'bearer' | 'forgetBearer'>;
	/** This browser is not a device any more: it was revoked, or never registered. */
	onLoggedOut: () => void;
};

/** A page cannot see why an upgrade was refused. The next bearer tells whether it is logged in. */
export function openBrowserSocket(path: string, { device, onLoggedOut }: BrowserSocketDeps): TerminalSocket {
	let socket: WebSocket | undefined;
	let isClosed = false;
	let opened = () => {};
	let receivedText = (_text: string) => {};
	let receivedBytes = (_bytes: Uint8Array) => {};
	let closed = (_reason: string) => {};

	function end(reason: string): void {
		if (isClosed) return;
		isClosed = true;
		closed(reason);
	}

	async function open(isSecond = false): Promise<void> {
		const bearer = await device.bearer();
		if (isClosed) return;
		if (bearer === undefined) {
			onLoggedOut();
			end('This browser is not logged in.');
			return;
		}
		socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`);
		socket.binaryType = 'arraybuffer';
		socket.onopen = () => {
			socket?.send(JSON.stringify({ type: 'bearer', bearer }));
			opened();
		};
		socket.onmessage = ({ data }) => {
			if (data instanceof ArrayBuffer) receivedBytes(new Uint8Array(data));
			else receivedText(String(data));
		};
		socket.onclose = ({ code }) => {
			if (code === NOT_ADMITTED) device.forgetBearer();
			// A bearer of an earlier runner is invalid: the second try has a new one, unless this device was revoked.
			if (code === NOT_ADMITTED && !isSecond) start(true);
			else end(`The connection to the runner was closed (${code}).`);
		};
	}

	function start(isSecond = false): void {
		void open(isSecond).catch(() => end('The runner does not answer.'));
	}

	function send(content: string | Uint8Array<ArrayBuffer>): void {
		if (socket?.readyState === WebSocket.OPEN) socket.send(content);
	}

	start();
	return {
		sendText: send,
		sendBytes: (bytes) => send(new Uint8Array(bytes)),
		close() {
			isClosed = true;
			socket?.close();
		},
		onOpen(handler) {
			opened = handler;
		},
		onText(handler) {
			receivedText = handler;
		},
		onBytes(handler) {
			receivedBytes = handler;
		},
		onClose(handler) {
			closed = handler;
		},
	};
}
