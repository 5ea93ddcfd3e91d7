// A viewer that confirms everything and reads nothing: what is sent to it stays in the network and in the hub.
import { openHubLogin } from '@roost/cli/hub/hub-login';
import { createSealedTerminals } from '@roost/cli/hub/sealed-terminals';
import { openSigner } from '@roost/cli/hub/sign-commands';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { TerminalId } from '@roost/protocol/ids';
import { WebSocket } from 'ws';
import type { RunnerRig } from '../runner/runner-rig.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

export type GreedyViewer = Disposable & {
	/** Bytes that it has read. */
	read(): number;
	/** The code of its end. */
	closed(): number | undefined;
};

const ACK_MS = 10;

export async function openGreedyViewer(
	hub: string,
	face: Pick<RunnerRig, 'env'>,
	{ runner, terminal }: { runner: RunnerRow; terminal: TerminalId },
): Promise<GreedyViewer> {
	const { device, bearer } = unwrap(openHubLogin(hub, face.env));
	const url = `${hub.replace('http', 'ws')}/api/v1/runners/${runner.id}/terminals/${terminal}`;
	const socket = new WebSocket(url, { headers: { authorization: `Bearer ${await bearer()}`, 'x-roost-face': 'cli' } });
	let read = 0;
	let code: number | undefined;
	socket.on('error', () => {});
	socket.on('close', (given) => {
		code = given;
	});
	const signer = openSigner(device);
	const sealed = createSealedTerminals({
		device,
		runner,
		signer,
		env: face.env,
		open: () => toSocket(socket, (size) => (read += size)),
	})(terminal);
	let isAttached = false;
	sealed.onOpen(() => sealed.sendText(JSON.stringify({ type: 'attach', cols: 80, rows: 24, want: 'view' })));
	sealed.onText((text) => {
		isAttached ||= text.includes('"attached"');
	});
	await waitFor(() => isAttached || undefined, { what: 'the viewer to be attached' });
	socket.pause();
	const timer = setInterval(() => sealed.sendText(JSON.stringify({ type: 'ack', position: Number.MAX_SAFE_INTEGER })), ACK_MS);
	return {
		read: () => read,
		closed: () => code,
		[Symbol.dispose]() {
			clearInterval(timer);
			socket.terminate();
		},
	};
}

function toSocket(socket: WebSocket, onRead: (size: number) => void): TerminalSocket {
	const send = (content: string | Uint8Array) => socket.readyState === socket.OPEN && socket.send(content);
	return {
		sendText: send,
		sendBytes: send,
		close: () => socket.close(),
		onOpen: (handler) => socket.on('open', handler),
		onText: (handler) => socket.on('message', (message, isBinary) => isBinary || handler(String(message))),
		onBytes: (handler) =>
			socket.on('message', (message: Buffer, isBinary) => {
				if (!isBinary) return;
				onRead(message.length);
				handler(message);
			}),
		onClose: (handler) => socket.on('close', (_code, reason) => handler(reason.toString())),
	};
}
