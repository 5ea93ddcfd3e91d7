import { describe, expect, it } from 'vitest';
import { explainConnection } from './source.ts';

const LOST = { state: 'reconnecting', since: 5, reason: 'The socket closed.' } as const;

describe('reason of a lost connection', () => {
	it.each([
		['ended', 'it was ended; start it with "roost up"'],
		['killed', 'it was killed; starting it again'],
		['up', 'The socket closed.'],
	] as const)('is explained for a runner that is %s', (state, reason) => {
		expect(explainConnection(LOST, { state: () => state, problem: () => null })).toEqual({ ...LOST, reason });
	});

	it('is the problem if the runner could not be restarted', () => {
		expect(explainConnection(LOST, { state: () => 'killed', problem: () => 'The disk is full.' }).reason).toBe(
			'The disk is full.',
		);
	});

	it('is not added while the connection is live', () => {
		const live = { state: 'live', since: 5 } as const;
		const never = (): never => {
			throw new Error('asked');
		};
		expect(explainConnection(live, { state: never, problem: never })).toBe(live);
	});
});
