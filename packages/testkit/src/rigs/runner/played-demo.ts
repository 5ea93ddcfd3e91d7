// A record with something in it: the story of the demo, told to its end into a home of the test's choice.

import { playDemo } from '@roost/cli/demo/open-demo';
import type { SessionId } from '@roost/protocol/ids';
import { unwrap } from '../unwrap.ts';

const FAST = 1_000;

export async function playDemoInto(env: Readonly<Record<string, string>>, folder: string): Promise<SessionId> {
	const { signal } = new AbortController();
	const stage = { env: { ...env, ROOST_PORT: '0' }, folder, speed: FAST };
	return unwrap(await playDemo({ ...stage, signal, onEvents: () => {} })).sessionId;
}
