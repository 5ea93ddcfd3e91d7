// Terminals of a runner behind a hub: sealed between this command line and the runner, whose key is pinned.
import type { webcrypto } from 'node:crypto';
import { type FaceCrypto, newFaceExchange } from '@roost/client/face-cipher';
import { createSealedSocket } from '@roost/client/sealed-socket';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { resolveHome } from '@roost/home/home';
import { openPinnedRunners } from '@roost/home/hub/known-runners';
import type { CliDevice } from '@roost/home/hub/pairing';
import { isSignedBy } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { TerminalId } from '@roost/protocol/ids';
import { err, type Result } from '@roost/protocol/result';
import type { openSigner } from './sign-commands.ts';

const decoder = new TextDecoder();
const WEB: FaceCrypto<webcrypto.CryptoKey> = {
	subtle: crypto.subtle,
	encode: (text) => new TextEncoder().encode(text),
	decode: (bytes) => decoder.decode(bytes),
};

export type SealedTerminalsDeps = {
	device: CliDevice;
	runner: Pick<RunnerRow, 'id' | 'name' | 'publicKey'>;
	signer: Pick<ReturnType<typeof openSigner>, 'sealAttach'>;
	/** The socket at the hub. */
	open(id: TerminalId): TerminalSocket;
	env: NodeJS.ProcessEnv;
};

/** Throws where the key of the runner is not the pinned one. */
export function createSealedTerminals({
	device,
	runner,
	signer,
	open,
	env,
}: SealedTerminalsDeps): (id: TerminalId) => TerminalSocket {
	let runnerKey: string | undefined;
	return (terminal) => {
		if (runnerKey === undefined) {
			const checked = pinnedKey(runner, device, env);
			if (!checked.ok) throw checked.error;
			runnerKey = checked.value;
		}
		return createSealedSocket(open(terminal), {
			runner: runner.id,
			terminal,
			runnerKey,
			newExchange: () => newFaceExchange(WEB),
			seal: (input) => signer.sealAttach(runner.id, input),
			isSignedBy: async (...signed) => isSignedBy(...signed),
		});
	};
}

function pinnedKey(
	{ id, name, publicKey }: SealedTerminalsDeps['runner'],
	{ hub }: CliDevice,
	env: NodeJS.ProcessEnv,
): Result<string> {
	if (publicKey === undefined) return err(new AppError('upgrade_required', 'The hub is too old for terminals. Update the hub.'));
	const home = resolveHome(env);
	return home.ok ? openPinnedRunners(home.value).check({ hub, id, name, publicKey, pinnedAt: Date.now() }) : home;
}
