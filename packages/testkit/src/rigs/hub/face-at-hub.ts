// A device with a terminal of a runner behind a scripted hub: the test is the hub, and decides what passes.
import { webcrypto } from 'node:crypto';
import { type FaceCrypto, newFaceExchange } from '@roost/client/face-cipher';
import { createSealedSocket } from '@roost/client/sealed-socket';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { isSignedBy } from '@roost/machine/signing-key';
import type { ChannelId } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId, TerminalId } from '@roost/protocol/ids';
import type { DialledChannel, ScriptedHub } from './scripted-hub.ts';
import type { SigningDevice } from './signing-device.ts';
import { openTerminalViewer, type TerminalViewerRig } from './terminal-viewer.ts';

const decoder = new TextDecoder();
export const NODE_CRYPTO: FaceCrypto<webcrypto.CryptoKey> = {
	subtle: webcrypto.subtle,
	encode: (text) => new TextEncoder().encode(text),
	decode: (bytes) => decoder.decode(bytes),
};

export type PassedMessage = string | Buffer;

/** What the hub makes of each message; a message may become none or several. Number: of the messages of that side, from 0. */
export type HubChanges = {
	fromFace?: (message: PassedMessage, at: number) => PassedMessage[];
	fromRunner?: (message: PassedMessage, at: number) => PassedMessage[];
};

export type FaceAtHub = Disposable & {
	readonly viewer: TerminalViewerRig;
	/** Why its connection ended. */
	readonly ended: string[];
	/** What it sent to the hub. */
	readonly sent: readonly PassedMessage[];
};

export type FaceOptions = {
	hub: ScriptedHub;
	device: SigningDevice;
	runner: RunnerId;
	/** Of the runner, pinned by the device. */
	runnerKey: string;
	terminal: TerminalId;
	/** That the hub asks the runner for; the same by default. */
	asked?: TerminalId;
	channel: ChannelId;
	changes?: HubChanges;
	sealedAt?: number;
};

/** Through one channel; it does not reconnect. */
export function openFaceAtHub(options: FaceOptions): FaceAtHub & { channel: Promise<DialledChannel> } {
	const { hub, device, terminal, channel, changes = {} } = options;
	const by = { name: device.entry.user, face: `cli:${device.entry.id}`, device: device.entry.id };
	const dialled = hub.openChannel({ channel, terminalId: options.asked ?? terminal, by });
	const ended: string[] = [];
	const sent: PassedMessage[] = [];
	let isOpened = false;

	function openSocket(): TerminalSocket {
		const inner = isOpened ? neverOpens() : toSocket(dialled, changes, sent);
		isOpened = true;
		return createSealedSocket(inner, {
			...options,
			newExchange: () => newFaceExchange(NODE_CRYPTO),
			seal: (input) => device.sealAttach(options.runner, input, options.sealedAt),
			isSignedBy: async (...signed) => isSignedBy(...signed),
		});
	}
	const viewer = openTerminalViewer(() => {
		const socket = openSocket();
		socket.onClose((reason) => ended.push(reason));
		return socket;
	});
	return { viewer, ended, sent, channel: dialled, [Symbol.dispose]: () => viewer[Symbol.dispose]() };
}

function neverOpens(): TerminalSocket {
	const nothing = () => {};
	return {
		sendText: nothing,
		sendBytes: nothing,
		close: nothing,
		onOpen: nothing,
		onText: nothing,
		onBytes: nothing,
		onClose: nothing,
	};
}

function toSocket(dialled: Promise<DialledChannel>, changes: HubChanges, sent: PassedMessage[]): TerminalSocket {
	const pass = (message: PassedMessage) => [message];
	const { fromFace = pass, fromRunner = pass } = changes;
	let received = 0;
	const whenDialled = (use: (channel: DialledChannel) => void) => void dialled.then(use);
	const send = (message: PassedMessage) => {
		const at = sent.push(message) - 1;
		whenDialled(({ socket }) => {
			for (const one of fromFace(message, at)) socket.send(one, { binary: typeof one !== 'string' });
		});
	};
	const texts: ((text: string) => void)[] = [];
	const bytes: ((bytes: Uint8Array) => void)[] = [];
	whenDialled(({ socket }) =>
		socket.on('message', (message: Buffer, isBinary) => {
			for (const one of fromRunner(isBinary ? message : message.toString(), received++)) {
				if (typeof one === 'string') for (const handler of texts) handler(one);
				else for (const handler of bytes) handler(one);
			}
		}),
	);
	return {
		sendText: send,
		sendBytes: (content) => send(Buffer.from(content)),
		close: () => whenDialled(({ socket }) => socket.close(1000)),
		onOpen: (handler) => whenDialled(() => handler()),
		onText: (handler) => void texts.push(handler),
		onBytes: (handler) => void bytes.push(handler),
		onClose: (handler) => whenDialled(({ socket }) => socket.on('close', (_code, reason) => handler(reason.toString()))),
	};
}
