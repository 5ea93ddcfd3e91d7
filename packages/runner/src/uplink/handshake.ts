// The two signatures that open a connection: the runner proves its key to the hub, and the hub proves the pinned key to the runner.
import type { HubPairing } from '@roost/home/hub/pairing';
import { isSignedBy, signText } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import { type HubFrame, LINK_PROTOCOL, type RunnerFrame } from '@roost/protocol/hub/link-frames';
import { toLinkText } from '@roost/protocol/hub/signed-text';

type Challenge = Extract<HubFrame, { type: 'hub.challenge' }>;
type Registered = Extract<HubFrame, { type: 'runner.registered' }>;
export type Register = Extract<RunnerFrame, { type: 'runner.register' }>;

/** What a runner says of itself. */
export type Registration = Omit<Register, 'type' | 'protocol' | 'signature' | 'runnerName'>;

/** Undefined where the runner can register; nothing is signed for another hub. */
export function whyNotRegister({ hub, protocol }: Challenge, pairing: HubPairing): AppError | undefined {
	const { min, max } = protocol;
	if (hub !== pairing.hub.id) return new AppError('denied', `Another hub answers at ${pairing.url}. ${CHECK_ADDRESS}`);
	if (LINK_PROTOCOL < min) return new AppError('upgrade_required', 'This Roost is too old for the hub. Update Roost.');
	if (LINK_PROTOCOL > max) return new AppError('conflict', 'The hub is too old for this Roost. Update the hub.');
	return undefined;
}

const CHECK_ADDRESS = 'Check hub.url, or pair again with "roost join <link>".';

export function toRegister({ nonce, hub }: Challenge, own: Registration, { key, name }: HubPairing): Register {
	const { runnerId: runner, epoch, lastSeqNo } = own;
	const signature = signText(key, toLinkText({ purpose: 'register', hub, nonce, runner, epoch, lastSeqNo }));
	return { type: 'runner.register', ...own, runnerName: name, protocol: { min: LINK_PROTOCOL, max: LINK_PROTOCOL }, signature };
}

/** Undefined where the pinned hub has answered exactly this registration. */
export function whyNotTrusted(answer: Registered, sent: Register, { hub, url }: HubPairing): AppError | undefined {
	const { epoch, hubSeqNo, signature } = answer;
	const { nonce, runnerId: runner } = sent;
	const text = toLinkText({ purpose: 'registered', hub: hub.id, nonce, runner, epoch, hubSeqNo });
	if (isSignedBy(hub.publicKey, text, signature)) return undefined;
	return new AppError('denied', `The hub at ${url} does not have the key that this runner was paired with. ${CHECK_ADDRESS}`);
}
