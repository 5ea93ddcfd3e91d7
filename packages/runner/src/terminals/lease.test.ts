import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createLease } from './lease.ts';

function open() {
	const timers = createManualTimers();
	let ids = 0;
	let expired = 0;
	const lease = createLease<string>({ newId: () => `lease-${++ids}`, timers, graceMs: 10_000, onFree: () => expired++ });
	return { timers, lease, expired: () => expired };
}

describe('lease', () => {
	it('is granted only to the first viewer', () => {
		const { lease } = open();
		expect(lease.claim('one')).toBe('lease-1');
		expect(lease.claim('two')).toBeUndefined();
		expect(lease.claim('three', 'lease-9')).toBeUndefined();
		expect(lease.holder()).toBe('one');
	});

	it('is reserved for a lost holder, and expires if it does not return', () => {
		const { lease, timers, expired } = open();
		lease.claim('one');
		lease.leave('one', 'lost');
		timers.advance(9_999);
		expect([lease.holder(), lease.isHeld(), lease.claim('two')]).toEqual([undefined, true, undefined]);
		timers.advance(1);
		expect([lease.isHeld(), expired()]).toEqual([false, 1]);
		expect(lease.claim('two')).toBe('lease-2');
	});

	it('is restored for a returning holder, before or after the old connection is lost', () => {
		const { lease, timers, expired } = open();
		const id = lease.claim('one');
		expect(lease.claim('one again', id)).toBe(id);
		lease.leave('one', 'lost');
		expect(lease.holder()).toBe('one again');
		lease.leave('one again', 'lost');
		expect(lease.claim('one a third time', id)).toBe(id);
		timers.advance(60_000);
		expect([lease.holder(), expired()]).toEqual(['one a third time', 0]);
	});

	it('is free immediately when its holder leaves', () => {
		const { lease, expired } = open();
		lease.claim('one');
		lease.leave('one', 'left');
		expect([lease.isHeld(), expired(), lease.claim('two')]).toEqual([false, 1, 'lease-2']);
	});

	it('is replaced when it is taken over, so that the old one is invalid', () => {
		const { lease } = open();
		const old = lease.claim('one');
		expect(lease.take('two')).toBe('lease-2');
		expect(lease.take('two')).toBe('lease-2');
		expect(lease.claim('one again', old)).toBeUndefined();
		lease.leave('one', 'lost');
		expect(lease.holder()).toBe('two');
	});
});
