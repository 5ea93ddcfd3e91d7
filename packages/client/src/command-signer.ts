// Seals commands for a runner behind a hub: the key of this device signs what the runner will run. For browsers and programs.
import { toShownText } from '@roost/core/hub/shown-ask';
import { inputTexts, toCommandText } from '@roost/core/hub/signed-command';
import type { Ask } from '@roost/protocol/ask';
import { type Operation, type Parts, placeInput } from '@roost/protocol/contract/operation';
import type { CommandSeal } from '@roost/protocol/hub/signed-command';
import type { DeviceId, RunnerId } from '@roost/protocol/ids';

export type CommandSigner = {
	/** The seal, and the input to send with it: complete and in the form that is signed. Throws for an invalid input. */
	seal(command: Unsealed): Promise<{ seal: CommandSeal; input: Parts }>;
	/** The `shown` of an answer to this ask, as it was displayed. */
	shown(ask: Pick<Ask, 'tool' | 'input'>): Promise<string>;
};

type Unsealed = {
	runner: RunnerId;
	/** `<resource>.<operation>` */
	name: string;
	operation: Operation;
	input: Parts;
	/** Unix milliseconds: the runner refuses it later. */
	expiresAt: number;
};

export type CommandSignerDeps = {
	device: DeviceId;
	/** Ed25519 over the UTF-8 of a text, as base64url. */
	sign(text: string): Promise<string>;
	/** SHA-256 of the UTF-8 of a text, as hex. */
	hash(text: string): Promise<string>;
	now: () => number;
	newId: () => string;
};

export function createCommandSigner({ device, sign, hash, now, newId }: CommandSignerDeps): CommandSigner {
	return {
		async seal({ runner, name, operation, input: given, expiresAt }) {
			const { commandId = newId() } = given;
			const input = complete(operation, operation.command ? { ...given, commandId } : given);
			const hashes = await Promise.all(inputTexts(input).map(async ([part, text]) => [part, await hash(text)] as const));
			const issued = { id: String(commandId), device, issuedAt: now(), expiresAt };
			const signed = { ...issued, runner, operation: name, input: Object.fromEntries(hashes) };
			return { seal: { ...issued, signature: await sign(toCommandText(signed)) }, input };
		},
		shown: (ask) => hash(toShownText(ask)),
	};
}

/** With the defaults that a hub adds on the way: the signature must cover them. */
function complete(operation: Operation, given: Parts): Parts {
	const { params, query, body } = placeInput(operation, given);
	return Object.assign({}, operation.body.parse(body), operation.query.parse(query), operation.params.parse(params));
}
