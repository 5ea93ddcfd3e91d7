import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasCode } from './error-code.ts';

describe('hasCode', () => {
	it('is true for a failed system call with one of the codes, and for nothing else', () => {
		let cause: unknown;
		try {
			readFileSync('/no/such/file');
		} catch (thrown) {
			cause = thrown;
		}
		expect([hasCode(cause, 'EACCES', 'ENOENT'), hasCode(cause, 'EACCES'), hasCode(cause)]).toEqual([true, false, false]);
		for (const other of [new Error('ENOENT'), { code: 'ENOENT' }, undefined]) expect(hasCode(other, 'ENOENT')).toBe(false);
	});
});
