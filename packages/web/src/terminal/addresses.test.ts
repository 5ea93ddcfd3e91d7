import { expect, it } from 'vitest';
import { findAddresses, isWebAddress } from './addresses.ts';

it.each([
	['http://127.0.0.1:3100/x?y#z', true],
	['https://example.com', true],
	['javascript:alert(1)', false],
	['file:///etc/passwd', false],
	['data:text/html,x', false],
	['//example.com', false],
	['https://', false],
])('%s can be opened: %s', (address, can) => {
	expect(isWebAddress(address)).toBe(can);
});

it('finds addresses in a line, without the punctuation after them', () => {
	expect(findAddresses('Local: http://localhost:5173/ (see https://example.com/a).')).toEqual([
		{ address: 'http://localhost:5173/', at: 7 },
		{ address: 'https://example.com/a', at: 35 },
	]);
	expect(findAddresses('nothing, xhttp://, javascript:x')).toEqual([]);
});
