// One WebSocket to the hub, opened with Node's own client. Messages are text.
import { LINK_PATH } from '@roost/protocol/hub/link-frames';

export type Wire = {
	send(text: string): void;
	/** Bytes that the network has not taken yet. */
	buffered(): number;
	/** `onClosed` is not called for it. */
	close(): void;
};

export type WireEvents = {
	onText(text: string): void;
	/** Once; nothing comes after it. */
	onClosed(why: string): void;
};

export type Dial = (url: string, events: WireEvents) => Wire;

/** In characters. The longest call of a face is a prompt. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;

export const dialWebSocket: Dial = (url, events) => {
	const socket = new WebSocket(url);
	let isOpen = false;
	let isOver = false;

	function end(): void {
		isOver = true;
		socket.close();
	}
	function fail(why: string): void {
		if (isOver) return;
		end();
		events.onClosed(why);
	}
	socket.addEventListener('open', () => {
		isOpen = true;
	});
	socket.addEventListener('message', ({ data }) => {
		if (isOver) return;
		if (typeof data !== 'string') fail('The hub sent a message that is not text.');
		else if (data.length > LONGEST_MESSAGE) fail('The hub sent a message that is too long.');
		else events.onText(data);
	});
	// An error is always followed by this, and it does not say more.
	socket.addEventListener('close', () => fail(isOpen ? 'The connection to the hub was lost.' : 'The hub cannot be reached.'));
	return {
		send(text) {
			if (!isOver && isOpen) socket.send(text);
		},
		buffered: () => socket.bufferedAmount,
		close: end,
	};
};

/** Where a runner dials. A path of the address is kept, because a proxy may serve the hub below one. */
export function toLinkUrl(hub: string): string {
	const url = new URL(hub);
	url.protocol = url.protocol.replace('http', 'ws');
	url.pathname = `${url.pathname.replace(/\/+$/, '')}${LINK_PATH}`;
	url.hash = '';
	return url.href;
}
