import { describe, expect, it } from 'vitest';
import { unwrapShell } from './tool-calls.ts';

describe('unwrapShell', () => {
	it.each([
		["/bin/bash -lc 'touch made'", 'touch made'],
		['/bin/bash -lc cat', 'cat'],
		[`/bin/bash -lc "echo \\"it's\\" \\$x"`, `echo "it's" $x`],
		[`/bin/zsh -lc 'a'"'"'b'`, "a'b"],
		['bash -c "a\nb"', 'a\nb'],
	])('extracts the script from %j', (line, script) => {
		expect(unwrapShell(line)).toBe(script);
	});

	it.each(['touch made', "/bin/bash -lc 'a' b", "/usr/bin/python -c 'x'", "/bin/bash -lc 'open", '/bin/bash -x script', ''])(
		'leaves %j unchanged',
		(line) => {
			expect(unwrapShell(line)).toBe(line);
		},
	);
});
