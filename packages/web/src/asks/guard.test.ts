import { describe, expect, it } from 'vitest';
import { toGuard } from './guard.ts';

const HIGH = { risk: 'high', kind: 'permission' } as const;
const live = { state: 'live', since: 0 } as const;
const READY = { isReady: true, isEndSeen: true, connection: live, offline: null };

describe('guard of a card', () => {
	it('lets an answer pass, also while the page reconnects', () => {
		expect(toGuard(HIGH, READY)).toEqual({ isReady: true, isUnread: false, off: undefined });
		expect(toGuard(HIGH, { ...READY, connection: { state: 'reconnecting', since: 0 } })).toMatchObject({ isReady: true });
	});

	it('keeps a call of high risk from being allowed before the end of its input was on screen', () => {
		expect(toGuard(HIGH, { ...READY, isEndSeen: false })).toMatchObject({ isReady: true, isUnread: true });
		expect(toGuard({ ...HIGH, risk: 'medium' }, { ...READY, isEndSeen: false })).toMatchObject({ isUnread: false });
	});

	it('switches answering off while the page is offline', () => {
		const connection = { state: 'reconnecting', since: 0 } as const;
		expect(toGuard(HIGH, { ...READY, connection, offline: { seenAt: null } })).toMatchObject({
			isReady: false,
			off: expect.stringContaining('reached'),
		});
	});

	it('switches answering off if the page does not fit the runner', () => {
		const connection = { state: 'incompatible', since: 0 } as const;
		expect(toGuard(HIGH, { ...READY, connection })).toMatchObject({ isReady: false, off: expect.stringContaining('Reload') });
	});
});
