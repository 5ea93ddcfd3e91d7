// Thousands of runners as cheap clients, for benchmarks: each only registers and stays connected.
import { once } from 'node:events';
import { signText } from '@roost/machine/signing-key';
import { accepts } from '@roost/protocol/hub/accepts';
import { LINK_PROTOCOL } from '@roost/protocol/hub/link-frames';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { WebSocket } from 'ws';
import { RUNNER_KEY } from './scripted-runner.ts';

/** `end`: without a word to the other side. */
export type OpenSocket = { end(): void };

const NONCE = 'n'.repeat(22);

export async function openBareSocket(url: string): Promise<OpenSocket> {
	const socket = new WebSocket(url, { perMessageDeflate: false });
	await once(socket, 'open');
	return { end: () => socket.terminate() };
}

/** Resolves when the hub has accepted it. It was paired with `RUNNER_KEY`. */
export async function registerRunner(url: string, id: string): Promise<OpenSocket> {
	const socket = new WebSocket(url, { perMessageDeflate: false });
	const { promise, resolve, reject } = Promise.withResolvers<OpenSocket>();
	socket.on('error', reject);
	socket.on('message', (bytes) => {
		const frame = JSON.parse(String(bytes));
		if (frame.type === 'runner.registered') resolve({ end: () => socket.terminate() });
		if (frame.type === 'refused') reject(new Error(frame.error.message));
		if (frame.type === 'hub.challenge') socket.send(registration(id, frame.hub, frame.nonce));
	});
	return await promise;
}

function registration(id: string, hub: string, nonce: string): string {
	const place = { runner: id, epoch: 1, lastSeqNo: 0 };
	return JSON.stringify({
		type: 'runner.register',
		runnerId: id,
		runnerName: `name of ${id}`,
		version: '1.0.0',
		protocol: { min: LINK_PROTOCOL, max: LINK_PROTOCOL },
		capabilities: [],
		activeSessions: [],
		epoch: 1,
		lastSeqNo: 0,
		accepts: accepts.parse({}),
		nonce: NONCE,
		signature: signText(RUNNER_KEY, toLinkText({ purpose: 'register', hub, nonce, ...place })),
	});
}
