import type { StreamStatus } from '@roost/client/connection';
import { expect, it } from 'vitest';
import { isOffline, SHORT_MS } from './offline.ts';

const reason = 'The runner does not answer.';

it.each<[string, StreamStatus['state'], string | undefined, number, boolean, boolean]>([
	['live', 'live', undefined, 0, true, false],
	['live on a browser that reports no network', 'live', undefined, 0, false, false],
	['connecting for the first time', 'connecting', undefined, 0, true, false],
	['opened without a runner', 'connecting', reason, 0, true, true],
	['lost for a moment', 'reconnecting', reason, SHORT_MS - 1, true, false],
	['lost for longer', 'reconnecting', reason, SHORT_MS, true, true],
	['lost without a network', 'reconnecting', reason, 0, false, true],
	['incompatible', 'incompatible', reason, SHORT_MS, true, false],
])('%s', (_, state, why, lostFor, hasNetwork, expected) => {
	expect(isOffline({ state, since: 0, ...(why === undefined ? {} : { reason: why }) }, lostFor, hasNetwork)).toBe(expected);
});
