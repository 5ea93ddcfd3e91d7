// A device with a key of its own that seals commands as the faces do, and may be trusted by a runner.
import { randomUUID } from 'node:crypto';
import { type CommandSigner, createCommandSigner } from '@roost/client/command-signer';
import { openKeyring, type TrustedDevice } from '@roost/home/hub/keyring';
import { sha256 } from '@roost/machine/sha256';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import type { AskRow } from '@roost/protocol/ask';
import { contract } from '@roost/protocol/contract/contract';
import type { Operation, Parts } from '@roost/protocol/contract/operation';
import type { HubFrame } from '@roost/protocol/hub/link-frames';
import { TERMINAL_ATTACH, terminalAttach } from '@roost/protocol/hub/terminal-channel';
import { deviceId, type RunnerId, type TerminalId } from '@roost/protocol/ids';
import { unwrap } from '../unwrap.ts';

export type CommandFrame = Extract<HubFrame, { type: 'session.command' }>;

export type SigningDevice = {
	readonly entry: TrustedDevice;
	/** Trusted by the runner of this home. */
	trust(home: string, over?: Partial<TrustedDevice>): void;
	untrust(home: string): void;
	/** The frame in which an honest hub delivers a sealed command. */
	command(runner: RunnerId, name: string, input: Parts, over?: Partial<SealOptions>): Promise<CommandFrame>;
	/** The signed input with which it attaches to a terminal. */
	sealAttach(runner: RunnerId, input: { id: TerminalId; key: string }, now?: number): ReturnType<CommandSigner['seal']>;
	/** An answer to an ask as it was displayed. */
	answer(runner: RunnerId, ask: AskRow, over?: Parts): Promise<CommandFrame>;
};

type SealOptions = { now: number; expiresAt: number };

const MINUTE_MS = 60_000;

export function createSigningDevice(over: Partial<TrustedDevice> = {}): SigningDevice {
	const key = createSigningKey();
	const entry: TrustedDevice = {
		id: deviceId.parse(
			randomUUID()
				.replaceAll(/[^a-z]/g, '')
				.padEnd(16, 'k')
				.slice(0, 16),
		),
		publicKey: key.publicKey,
		name: 'phone',
		user: 'lea',
		kind: 'program',
		classes: ['stop', 'operate', 'approve', 'own'],
		addedAt: 1,
		addedBy: 'lea@cli',
		...over,
	};
	const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = contract;

	const signerAt = (now: number) =>
		createCommandSigner({
			device: entry.id,
			sign: async (text) => signText(key, text),
			hash: async (text) => sha256(text),
			now: () => now,
			newId: randomUUID,
		});

	const command: SigningDevice['command'] = async (
		runner,
		name,
		input,
		{ now = Date.now(), expiresAt = now + MINUTE_MS } = {},
	) => {
		const [resource = '', action = ''] = name.split('.');
		const operation = operations[resource]?.[action];
		if (!operation) throw new Error(`no operation ${name}`);
		const sealed = await signerAt(now).seal({ runner, name, operation, input, expiresAt });
		const by = { name: entry.user, face: `web:${entry.id}`, device: entry.id };
		return { type: 'session.command', commandId: sealed.seal.id, operation: name, ...sealed, by, expiresAt };
	};

	return {
		entry,
		trust: (home, changed) => unwrap(openKeyring({ data: home }).add({ ...entry, ...changed })),
		untrust: (home) => void unwrap(openKeyring({ data: home }).remove(entry.id)),
		command,
		sealAttach: (runner, input, now = Date.now()) =>
			signerAt(now).seal({
				...{ runner, input, name: TERMINAL_ATTACH, operation: terminalAttach },
				expiresAt: now + MINUTE_MS,
			}),
		async answer(runner, ask, answer = { decision: 'allow' }) {
			const shown = await signerAt(Date.now()).shown(ask);
			return await command(runner, 'asks.approve', { id: ask.sessionId, askId: ask.id, nonce: ask.nonce, shown, ...answer });
		},
	};
}
