import { describe, expect, it } from 'vitest';
import { parsePatch } from './tool-calls.ts';

describe('a patch in the words of Codex', () => {
	it('names every file that it changes, and how', () => {
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

	it('is read with other line ends and blanks behind the names', () => {
		expect(parsePatch('*** Begin Patch\r\n*** Delete File: x y \r\n*** End Patch')).toMatchObject([
			{ path: 'x y', kind: 'delete' },
		]);
	});

	it.each(['', 'no patch', '+++ b/x', '*** Rename File: x'])('is none: %j', (text) => {
		expect(parsePatch(text)).toEqual([]);
	});
});
