// The one place where this browser seals a command for a runner behind a hub: with its own key, over what its user saw.
import type { Prepare, Prepared } from '@roost/client/api-call';
import { AppError } from '@roost/protocol/app-error';
import type { AskRow } from '@roost/protocol/ask';
import { SEAL_HEADER } from '@roost/protocol/hub/seal-header';
import { deviceId, type RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { readDevice, sign, toBase64Url } from './keys.ts';

export type Sealing = {
	readonly runner: RunnerId;
	/** Unix milliseconds: the runner refuses the command later. */
	readonly expiresAt: number;
	/** The request that it answers, as it is shown. */
	readonly ask: Pick<AskRow, 'tool' | 'input'> | undefined;
};

export async function sealCommand(
	{ runner, expiresAt, ask }: Sealing,
	{ input: given, ...call }: Parameters<Prepare>[0],
): Promise<Result<Prepared>> {
	const own = await readDevice();
	if (!own) return ok({ input: given, headers: {} });
	// Apart, because reading needs none of it.
	const { createCommandSigner } = await import('@roost/client/command-signer');
	const signer = createCommandSigner({
		device: deviceId.parse(own.id),
		sign: (text) => sign(own.privateKey, text),
		hash: sha256,
		now: Date.now,
		newId: () => crypto.randomUUID(),
	});
	try {
		const shown = ask === undefined ? {} : { shown: await signer.shown(ask) };
		const { seal, input } = await signer.seal({ ...call, runner, expiresAt, input: { ...given, ...shown } });
		return ok({ input, headers: { [SEAL_HEADER]: toBase64Url(new TextEncoder().encode(JSON.stringify(seal)).buffer) } });
	} catch (cause) {
		return err(new AppError('bad_request', 'This command has a form that cannot be signed. Check what you typed.', { cause }));
	}
}

async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
