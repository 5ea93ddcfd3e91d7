// The text that a device signs for a command, and whether a runner accepts a signed command. Hashes and signatures are arguments.
import { AppError } from '@roost/protocol/app-error';
import type { Parts } from '@roost/protocol/contract/operation';
import type { CommandClass } from '@roost/protocol/hub/accepts';
import type { CommandProof, InputHashes } from '@roost/protocol/hub/command-proof';
import { type CommandSeal, LONGEST_SEAL_MS, MOST_AHEAD_MS, type SignedCommand } from '@roost/protocol/hub/signed-command';
import type { DeviceId, RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { canonicalJson } from '../rules/canonical-json.ts';

export type Crypto = {
	/** SHA-256 as hex. */
	hash(text: string): string;
	isSignedBy(publicKey: string, text: string, signature: string): boolean;
};

/** Named, because a signature over all of a command fits no other text that a device signs. */
export function toCommandText({ runner, id, operation, input, device, issuedAt, expiresAt }: SignedCommand): string {
	return `roost-command-1\n${canonicalJson({ runner, id, operation, input, device, issuedAt, expiresAt })}`;
}

/** What is hashed for each part of an input; JSON has no undefined parts. */
export function inputTexts(input: Parts): [name: string, text: string][] {
	return Object.entries(input)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => [name, canonicalJson(value)]);
}

export function hashInput(input: Parts, hash: Crypto['hash']): InputHashes {
	return Object.fromEntries(inputTexts(input).map(([name, text]) => [name, hash(text)]));
}

/** A device that the runner trusts. */
type TrustedKey = { id: DeviceId; publicKey: string; user: string; classes: readonly CommandClass[] };

export type SealedCommand = {
	id: string;
	operation: string;
	input: Parts;
	kind: CommandClass;
	/** As the hub says. */
	by: { name: string; device?: DeviceId | undefined };
	seal: CommandSeal;
	/** Of the seal; undefined where it is not trusted. */
	device: TrustedKey | undefined;
};

/** The proof that is kept with the fact of the command, or why it is refused. `now`: by the clock of the runner. */
export function checkSeal(command: SealedCommand, runner: RunnerId, now: number, crypto: Crypto): Result<CommandProof> {
	const { device, seal } = command;
	if (!device) return refuse(`Device ${seal.device} is not trusted on this runner. Trust it on this machine: ${TRUST}.`);
	const { id, issuedAt, expiresAt, signature } = seal;
	const { operation } = command;
	const input = hashInput(command.input, crypto.hash);
	const text = toCommandText({ runner, id, operation, input, device: device.id, issuedAt, expiresAt });
	if (!crypto.isSignedBy(device.publicKey, text, signature)) return refuse(WRONG_SIGNATURE);
	const why = whyNotFrom(command, device) ?? whyNotNow(seal, now);
	if (why !== undefined) return refuse(why);
	return ok({
		command_id: id,
		operation,
		input_hashes: input,
		device_id: device.id,
		public_key: device.publicKey,
		issued_at: issuedAt,
		expires_at: expiresAt,
		signature,
	});
}

const TRUST = '"roost devices trust <id>"';
const WRONG_SIGNATURE = 'The signature is not of this command: it was changed, or signed for another runner or with another key.';

function whyNotFrom({ id, by, kind, operation, seal }: SealedCommand, device: TrustedKey): string | undefined {
	if (seal.id !== id) return 'The signature is of another command ID.';
	if (by.device !== undefined && by.device !== device.id) return `The hub names device ${by.device}, but ${device.id} signed it.`;
	if (by.name !== device.user)
		return `The hub names the user "${by.name}", but the device that signed it belongs to "${device.user}".`;
	if (!device.classes.includes(kind)) return `Device ${device.id} may not sign "${operation}" for this runner.`;
	return undefined;
}

function whyNotNow({ issuedAt, expiresAt }: CommandSeal, now: number): string | undefined {
	if (expiresAt <= now) return 'The command has expired by the clock of this runner. Send it again.';
	if (expiresAt - issuedAt > LONGEST_SEAL_MS || now - issuedAt > LONGEST_SEAL_MS)
		return 'The command is valid for too long: at most 7 days. Sign it again.';
	if (issuedAt - now > MOST_AHEAD_MS)
		return 'The command was signed in the future. Check the clocks of this machine and the device.';
	return undefined;
}

function refuse(why: string): Result<never> {
	return err(new AppError('denied', why));
}
