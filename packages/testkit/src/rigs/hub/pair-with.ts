// Pairs the home of a runner with a scripted hub, as `roost join` does.
import { writePairing } from '@roost/home/hub/pairing';
import { createSigningKey } from '@roost/machine/signing-key';
import { unwrap } from '../unwrap.ts';
import type { ScriptedHub } from './scripted-hub.ts';

export function pairWith(hub: ScriptedHub, home: string): void {
	const key = createSigningKey();
	hub.runnerKey = key.publicKey;
	unwrap(writePairing({ data: home }, { url: hub.url, hub: hub.identity, name: 'laptop', key, pairedAt: 1 }));
}
