import { describe, expect, it } from 'vitest';
import { LOOK_MS, readinessOf } from './when-ready.ts';

describe('an answer', () => {
	it.each([
		['pending', { isSent: false, since: 0, now: LOOK_MS }, 'ready'],
		['pending', { isSent: false, since: 0, now: LOOK_MS - 1 }, 'early'],
		['pending', { isSent: true, since: 0, now: 10 * LOOK_MS }, 'sent'],
		['expired', { isSent: true, since: 0, now: 0 }, 'decided'],
	] as const)('to a request that is %s, with %j, is %s', (state, at, readiness) => {
		expect(readinessOf({ state }, at)).toBe(readiness);
	});
});
