// Signs commands with the key of this machine's command line, for a runner behind a hub.
import type { Prepare } from '@roost/client/api-call';
import { createCommandSigner } from '@roost/client/command-signer';
import type { CliDevice } from '@roost/home/hub/pairing';
import { sha256 } from '@roost/machine/sha256';
import { signText } from '@roost/machine/signing-key';
import type { AskRow } from '@roost/protocol/ask';
import { isOfRunner } from '@roost/protocol/contract/of-runner';
import { commandClass } from '@roost/protocol/hub/accepts';
import { SEAL_HEADER } from '@roost/protocol/hub/seal-header';
import { TERMINAL_ATTACH, terminalAttach } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId, TerminalId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';

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
		/** Of the commands for one runner; reads are not signed. */
		prepareFor(runner: RunnerId): Prepare {
			return async ({ name, operation, input }) => {
				const kind = isOfRunner(name.split('.', 1)[0] ?? '') ? commandClass(name, operation.needs, input) : undefined;
				if (kind === undefined || kind === 'read') return ok({ input, headers: {} });
				const expiresAt = Date.now() + (SOON.has(name) ? SOON_MS : LATER_MS);
				const sealed = await signer.seal({ runner, name, operation, input, expiresAt });
				const header = Buffer.from(JSON.stringify(sealed.seal)).toString('base64url');
				return ok({ input: sealed.input, headers: { [SEAL_HEADER]: header } });
			};
		},
	};
}
