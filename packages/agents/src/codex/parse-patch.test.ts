import { describe, expect, it } from 'vitest';
import { parsePatch } from './tool-calls.ts';

describe('parsePatch', () => {
	it('lists every changed file with the kind of change', () => {
		const patch = `*** Begin Patch
*** Add File: a/new.txt
+one
+
+two
*** Update File: b.txt
*** Move to: c.txt
@@ place
 same
-old
+new
*** End of File
*** Delete File: gone.txt
*** End Patch
`;
		expect(parsePatch(patch)).toEqual([
			{ path: 'a/new.txt', kind: 'add', text: 'one\n\ntwo\n' },
			{ path: 'b.txt', kind: 'update', movedTo: 'c.txt', text: '@@ place\n same\n-old\n+new' },
			{ path: 'gone.txt', kind: 'delete', text: '' },
		]);
	});

	it('accepts CRLF line endings and trailing spaces after file names', () => {
		expect(parsePatch('*** Begin Patch\r\n*** Delete File: x y \r\n*** End Patch')).toMatchObject([
			{ path: 'x y', kind: 'delete' },
		]);
	});

	it.each(['', 'no patch', '+++ b/x', '*** Rename File: x'])('finds no changes in %j', (text) => {
		expect(parsePatch(text)).toEqual([]);
	});
});
