// Signs commands with the key of this machine's command line, for a runner behind a hub.
import type { Sealed } from '@roost/client/api-call';
import { createCommandSigner } from '@roost/client/command-signer';
import type { CliDevice } from '@roost/home/hub/pairing';
import { sha256 } from '@roost/machine/sha256';
import { signText } from '@roost/machine/signing-key';
import type { AskRow } from '@roost/protocol/ask';
import { isOfRunner } from '@roost/protocol/contract/of-runner';
import type { Operation, Parts } from '@roost/protocol/contract/operation';
import { commandClass } from '@roost/protocol/hub/accepts';
import { TERMINAL_ATTACH, terminalAttach } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId, TerminalId } from '@roost/protocol/ids';

type Command = { name: string; operation: Operation; input: Parts };

/** What is worth doing only now, and everything else: a runner that is away gets it until then. */
const SOON_MS = 30_000;
const LATER_MS = 15 * 60_000;
const SOON: ReadonlySet<string> = new Set(['sessions.interrupt', 'sessions.end']);

export function openSigner({ id, key }: CliDevice) {
	const signer = createCommandSigner({
		device: id,
		sign: async (text) => signText(key, text),
		hash: async (text) => sha256(text),
		now: Date.now,
		newId: () => crypto.randomUUID(),
	});
	return {
		toShown: (ask: Pick<AskRow, 'tool' | 'input'>) => signer.shown(ask),
		/** For a connection that is opened now. */
		sealAttach: (runner: RunnerId, input: { id: TerminalId; key: string }) =>
			signer.seal({ runner, name: TERMINAL_ATTACH, operation: terminalAttach, input, expiresAt: Date.now() + LATER_MS }),
		/** Reads are not signed. */
		async seal(runner: RunnerId, { name, operation, input }: Command): Promise<Sealed | undefined> {
			const kind = isOfRunner(name.split('.', 1)[0] ?? '') ? commandClass(name, operation.needs, input) : undefined;
			if (kind === undefined || kind === 'read') return undefined;
			const expiresAt = Date.now() + (SOON.has(name) ? SOON_MS : LATER_MS);
			const sealed = await signer.seal({ runner, name, operation, input, expiresAt });
			return { input: sealed.input, header: Buffer.from(JSON.stringify(sealed.seal)).toString('base64url') };
		},
	};
}
