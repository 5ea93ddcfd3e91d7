// A terminal through a hub: the frames of another socket, sealed between this device and the runner. For browsers and programs.
import { parseJson } from '@roost/core/display/parse-json';
import type { TerminalServerFrame } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import type { Parts } from '@roost/protocol/contract/operation';
import type { CommandSeal } from '@roost/protocol/hub/signed-command';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { type SealedAttach, sealedAttach, sealedAttached, TERMINAL_ATTACH } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId, TerminalId } from '@roost/protocol/ids';
import type { FaceCipher, FaceExchange } from './face-cipher.ts';
import { createListeners } from './listeners.ts';
import type { TerminalSocket } from './terminal-socket.ts';

export type SealedSocketDeps = {
	runner: RunnerId;
	terminal: TerminalId;
	/** Pinned: only its runner can answer. */
	runnerKey: string;
	/** A key pair for this connection. */
	newExchange(): Promise<FaceExchange>;
	/** The input of the attachment, signed by this device. */
	seal(input: { id: TerminalId; key: string }): Promise<{ seal: CommandSeal; input: Parts }>;
	/** Ed25519 over the UTF-8 of a text; keys and signatures as base64url. */
	isSignedBy(publicKey: string, text: string, signature: string): Promise<boolean>;
};

/** Open once both sides have the keys. A frame that was changed, repeated or moved ends it. */
export function createSealedSocket(inner: TerminalSocket, deps: SealedSocketDeps): TerminalSocket {
	const onOpen = createListeners<void>(run);
	const onText = createListeners<string>(run);
	const onBytes = createListeners<Uint8Array>(run);
	const onClose = createListeners<string>(run);
	let exchange: FaceExchange | undefined;
	let attach: SealedAttach | undefined;
	let cipher: FaceCipher | undefined;
	let isOver = false;
	let receiving = Promise.resolve();
	let sending = Promise.resolve();

	async function greet(): Promise<void> {
		exchange = await deps.newExchange();
		const { seal, input } = await deps.seal({ id: deps.terminal, key: exchange.publicKey });
		attach = sealedAttach.parse({ type: TERMINAL_ATTACH, input, seal });
		if (!isOver) inner.sendText(JSON.stringify(attach));
	}

	async function takeAnswer(text: string): Promise<void> {
		const json = parseJson(text);
		const answer = sealedAttached.safeParse(json).data;
		// A refusal of the hub or of the runner, before there are keys.
		if (!answer) return onText.emit(text);
		if (!exchange || !attach || cipher) return fail(OUT_OF_TURN);
		const { runner, terminal, runnerKey } = deps;
		const keys = { attach: attach.seal.signature, faceKey: exchange.publicKey, runnerKey: answer.key };
		const transcript = toLinkText({ purpose: 'terminal', runner, terminal, ...keys });
		if (!(await deps.isSignedBy(runnerKey, transcript, answer.signature))) return refuse(anotherRunner());
		cipher = await exchange.toCipher(answer.key, transcript);
		if (!isOver) onOpen.emit();
	}

	async function take(frame: Uint8Array): Promise<void> {
		if (!cipher) return fail(OUT_OF_TURN);
		const content = await cipher.open(frame);
		if (isOver) return;
		if (typeof content === 'string') onText.emit(content);
		else onBytes.emit(content);
	}

	function receive(work: () => Promise<void>): void {
		receiving = receiving.then(() => (isOver ? undefined : work())).catch(() => fail(CHANGED));
	}

	function send(content: string | Uint8Array): void {
		const sealed = cipher?.seal(content);
		if (!sealed) return;
		sending = Promise.all([sealed, sending])
			.then(([frame]) => (isOver ? undefined : inner.sendBytes(frame)))
			.catch(() => fail(CHANGED));
	}

	function fail(reason: string): void {
		if (isOver) return;
		isOver = true;
		inner.close();
		onClose.emit(reason);
	}

	/** Trying again would end the same way. */
	function refuse({ code, message }: AppError): void {
		const frame: TerminalServerFrame = { type: 'refused', what: 'attach', error: { code, message }, final: true };
		onText.emit(JSON.stringify(frame));
		fail(message);
	}

	inner.onOpen(() => void greet().catch((cause: unknown) => refuse(cannotSeal(cause))));
	inner.onText((text) => receive(async () => (cipher ? fail(OUT_OF_TURN) : await takeAnswer(text))));
	inner.onBytes((bytes) => receive(() => take(bytes)));
	inner.onClose((reason) => {
		// After what came before.
		receiving = receiving.then(() => {
			if (isOver) return;
			isOver = true;
			onClose.emit(reason);
		});
	});
	return {
		sendText: send,
		sendBytes: send,
		close() {
			isOver = true;
			inner.close();
		},
		onOpen: (handler) => void onOpen.add(handler),
		onText: (handler) => void onText.add(handler),
		onBytes: (handler) => void onBytes.add(handler),
		onClose: (handler) => void onClose.add(handler),
	};
}

function run(action: () => void): void {
	action();
}

const CHANGED = 'The connection was changed on its way, and was closed.';
const OUT_OF_TURN = 'The hub sent something that the runner did not seal, and the connection was closed.';

function anotherRunner(): AppError {
	return new AppError(
		'denied',
		'The answer is not signed with the key of this runner, so the terminal was not opened. Something between here and the runner may be reading along.',
	);
}

function cannotSeal(cause: unknown): AppError {
	const why = cause instanceof Error ? cause.message : String(cause);
	return new AppError('internal', `The terminal cannot be sealed here: ${why}`, { cause });
}
