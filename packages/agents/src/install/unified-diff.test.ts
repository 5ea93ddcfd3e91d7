import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './installed-hooks.ts';

describe('unified diff', () => {
	it('shows changes with three lines of context, and is empty without changes', () => {
		const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
		expect(unifiedDiff('x', before, before.replace('e\n', 'E\nE2\n'))).toBe(
			'--- a/x\n+++ b/x\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h\n',
		);
		expect(unifiedDiff('x', before, before)).toBe('');
	});

	it('marks a created file, a deleted file and a missing final newline', () => {
		expect(unifiedDiff('x', null, 'a\n')).toBe('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n');
		expect(unifiedDiff('x', 'a', null)).toBe('--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n');
	});

	it('is a patch that git applies, for arbitrary changes', async () => {
		await using dir = await createTempDir();
		const path = join(dir.path, 'x');
		const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { minLength: 1, maxLength: 30 });
		const text = fc.tuple(lines, fc.constantFrom('', 'z', '\n')).map(([all, end]) => `${all.join('\n')}${end}x\n`);
		await fc.assert(
			fc.asyncProperty(text, text, async (before, after) => {
				fc.pre(before !== after);
				await writeFile(path, before);
				execFileSync('git', ['apply', '-p1', '-'], { cwd: dir.path, input: unifiedDiff('x', before, after) });
				expect(await readFile(path, 'utf8')).toBe(after);
			}),
			{ numRuns: 20 },
		);
	});
});
