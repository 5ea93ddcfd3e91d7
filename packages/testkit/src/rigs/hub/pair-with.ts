// Pairs the home of a runner with a hub of a rig, as `roost join` does.
import { writePairing } from '@roost/home/hub/pairing';
import { createSigningKey } from '@roost/machine/signing-key';
import type { HubIdentity } from '@roost/protocol/hub/pairing';
import { unwrap } from '../unwrap.ts';

export type Pairable = {
	readonly url: string;
	readonly identity: HubIdentity;
	/** The public key of the runner. */
	runnerKey: string | undefined;
};

export function pairWith(hub: Pairable, home: string, key = createSigningKey()): void {
	hub.runnerKey = key.publicKey;
	unwrap(writePairing({ data: home }, { url: hub.url, hub: hub.identity, name: 'laptop', key, pairedAt: 1 }));
}
