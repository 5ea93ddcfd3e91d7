// One WebSocket to the hub for one viewer of a terminal, opened with Node's own client.
import { CHANNEL_FOLDER, type ChannelId } from '@roost/protocol/hub/terminal-channel';
import { toLinkUrl } from './dial.ts';

export type ChannelWire = {
	text(text: string): void;
	bytes(bytes: Uint8Array<ArrayBuffer>): void;
	/** `onClosed` is not called for it. `over`: the program has ended, or the face was refused. `reason`: up to 123 bytes. */
	close(how: 'over' | 'broken', reason: string): void;
};

export type ChannelEvents = {
	onOpen(): void;
	onText(text: string): void;
	onBytes(bytes: Uint8Array): void;
	/** Once; nothing comes after it. `left`: on purpose. */
	onClosed(how: 'left' | 'lost'): void;
};

export type DialChannel = (url: string, events: ChannelEvents) => ChannelWire;

/** A snapshot, and what the watermarks allow. A hub that takes less is cut off. */
const MOST_UNSENT = 16 * 1024 * 1024;
const OVER = 1000;
/** Codes below this are reserved for the protocol itself. */
const BROKEN = 4000;

export const dialChannel: DialChannel = (url, events) => {
	const socket = new WebSocket(url);
	socket.binaryType = 'arraybuffer';
	let isOver = false;

	function lose(how: 'left' | 'lost'): void {
		if (isOver) return;
		isOver = true;
		events.onClosed(how);
	}
	function send(content: string | Uint8Array<ArrayBuffer>): void {
		if (isOver || socket.readyState !== WebSocket.OPEN) return;
		if (socket.bufferedAmount > MOST_UNSENT) {
			socket.close(BROKEN, 'the hub takes too little');
			lose('lost');
		} else socket.send(content);
	}
	socket.addEventListener('open', () => isOver || events.onOpen());
	socket.addEventListener('message', ({ data }) => {
		if (isOver) return;
		if (typeof data === 'string') events.onText(data);
		else if (data instanceof ArrayBuffer) events.onBytes(new Uint8Array(data));
	});
	socket.addEventListener('close', ({ code }) => lose(code === OVER ? 'left' : 'lost'));
	return {
		text: send,
		bytes: send,
		close(how, reason) {
			isOver = true;
			socket.close(how === 'over' ? OVER : BROKEN, reason);
		},
	};
};

export function toChannelUrl(hub: string, channel: ChannelId): string {
	const url = new URL(toLinkUrl(hub));
	url.pathname += CHANNEL_FOLDER + channel;
	return url.href;
}
