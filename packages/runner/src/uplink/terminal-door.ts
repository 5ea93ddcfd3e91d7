// Terminals that are opened through a hub: one channel for each viewer, served like a local one once its device has proven itself.
import { parseJson } from '@roost/core/display/parse-json';
import { toWireError } from '@roost/gateway/http/errors';
import { DEFAULT_LIMITS } from '@roost/gateway/http/limits';
import type { TerminalScreens } from '@roost/gateway/operations/backend';
import {
	createTerminalConnection,
	type TerminalConnection,
	type TerminalWire,
} from '@roost/gateway/terminals/terminal-connection';
import type { HubPairing } from '@roost/home/hub/pairing';
import { signText } from '@roost/machine/signing-key';
import type { Timers } from '@roost/machine/timers';
import type { TerminalServerFrame } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import type { TerminalOpen } from '@roost/protocol/hub/link-frames';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { type ChannelJoin, type SealedAttach, type SealedAttached, sealedAttach } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId } from '@roost/protocol/ids';
import { type ChannelWire, type DialChannel, toChannelUrl } from './dial-channel.ts';
import type { Forwarded } from './forwarded.ts';
import { startHeartbeat } from './heartbeat.ts';
import { exchangeKeys, type RunnerCipher } from './runner-cipher.ts';

export type TerminalDoor = Disposable & {
	open(frame: TerminalOpen, pairing: HubPairing): void;
	/** All channels, for example because the pairing has changed. */
	closeAll(): void;
};

export type TerminalDoorDeps = {
	runnerId: RunnerId;
	screens: TerminalScreens;
	/** Which faces may attach, and stay. */
	admission: Pick<Forwarded, 'attach' | 'mayStay'>;
	dial: DialChannel;
	timers: Timers;
	/** A face without any frame for three of these is gone: it pings. */
	silenceMs?: number;
};

/** More than all viewers of one terminal. */
const MOST_CHANNELS = 64;
const ATTACH_MS = 10_000;
const SILENCE_MS = 15_000;
/** A device that is no longer trusted loses its terminals within this time. */
const TRUST_MS = 1_000;

export function createTerminalDoor(deps: TerminalDoorDeps): TerminalDoor {
	const channels = new Set<Disposable>();

	function closeAll(): void {
		for (const channel of [...channels]) channel[Symbol.dispose]();
	}

	return {
		open(frame, pairing) {
			if (channels.size >= MOST_CHANNELS) return;
			const channel: Disposable = openChannel({ ...deps, frame, pairing, onEnd: () => channels.delete(channel) });
			channels.add(channel);
		},
		closeAll,
		[Symbol.dispose]: closeAll,
	};
}

type ChannelDeps = TerminalDoorDeps & { frame: TerminalOpen; pairing: HubPairing; onEnd(): void };

function openChannel(deps: ChannelDeps): Disposable {
	const { frame, pairing, runnerId, timers } = deps;
	let attach: SealedAttach | undefined;
	let cipher: RunnerCipher | undefined;
	let connection: TerminalConnection | undefined;
	let isOver = false;
	let cancelCheck = () => {};
	const cancelTimeout = timers.after(ATTACH_MS, () => cipher ?? close('broken', 'the face did not attach in time'));
	const heartbeat = startHeartbeat({
		timers,
		intervalMs: deps.silenceMs ?? SILENCE_MS,
		ping: () => {},
		onSilent: () => close('broken', 'the face is silent'),
	});
	const wire: ChannelWire = deps.dial(toChannelUrl(pairing.url, frame.channel), {
		onOpen() {
			const signed = toLinkText({ purpose: 'channel', hub: pairing.hub.id, channel: frame.channel, runner: runnerId });
			send({ type: 'channel.join', runner: runnerId, signature: signText(pairing.key, signed) });
		},
		onText: (text) => (attach ? close('broken', CHANGED) : void take(sealedAttach.safeParse(parseJson(text)).data)),
		onBytes: receive,
		onClosed: end,
	});

	function send(message: ChannelJoin | SealedAttached | TerminalServerFrame): void {
		wire.text(JSON.stringify(message));
	}

	async function take(asked: SealedAttach | undefined): Promise<void> {
		if (!asked) return refuse(new AppError('bad_request', 'This client opens terminals in another way. Update Roost there.'));
		attach = asked;
		const admitted = await deps.admission.attach(frame, asked);
		if (!admitted.ok) return refuse(admitted.error);
		const signed = { purpose: 'terminal' as const, runner: runnerId, terminal: frame.terminalId, attach: asked.seal.signature };
		const exchanged = exchangeKeys(asked.input.key, (runnerKey) =>
			toLinkText({ ...signed, faceKey: asked.input.key, runnerKey }),
		);
		if (!exchanged.ok) return refuse(exchanged.error);
		if (isOver) return;
		const { publicKey: key, transcript } = exchanged.value;
		cipher = exchanged.value.cipher;
		send({ type: 'terminals.attached', key, signature: signText(pairing.key, transcript) });
		const { screens } = deps;
		connection = createTerminalConnection({ screens, id: frame.terminalId, limits: DEFAULT_LIMITS, wire: toSealed(cipher) });
		checkTrust(asked);
	}

	function checkTrust(asked: SealedAttach): void {
		cancelCheck = timers.after(TRUST_MS, () => {
			if (deps.admission.mayStay(asked)) checkTrust(asked);
			else close('broken', 'this device is no longer trusted');
		});
	}

	function toSealed(sealing: RunnerCipher): TerminalWire {
		return {
			text: (text) => wire.bytes(sealing.seal('text', Buffer.from(text))),
			bytes: (bytes) => wire.bytes(sealing.seal('bytes', bytes)),
			close: (_code, reason) => close('over', reason),
		};
	}

	function receive(bytes: Uint8Array): void {
		const opened = cipher?.open(bytes);
		if (opened) {
			heartbeat.heard();
			connection?.receive(opened.content, opened.kind === 'bytes');
		} else close('broken', CHANGED);
	}

	/** Not sealed: there are no keys yet. */
	function refuse(error: AppError): void {
		send({ type: 'refused', what: 'attach', error: toWireError(error), final: true });
		close('over', 'refused');
	}

	function close(how: 'over' | 'broken', reason: string): void {
		if (isOver) return;
		end('lost');
		wire.close(how, reason);
	}

	function end(how: 'left' | 'lost'): void {
		if (isOver) return;
		isOver = true;
		cancelTimeout();
		cancelCheck();
		heartbeat[Symbol.dispose]();
		connection?.leave(how);
		deps.onEnd();
	}

	return { [Symbol.dispose]: () => close('broken', 'the runner ends this connection') };
}

const CHANGED = 'a message was changed on its way';
