import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { ensurePrivateDirectory, makeDirectories } from './private-directory.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('private directory', () => {
	it('is created with its parents, private to its owner regardless of the umask', async () => {
		await using temp = await createTempDir();
		const before = process.umask(0);
		const made = ensurePrivateDirectory(`${temp.path}/a/b/`);
		process.umask(before);
		expect(unwrap(made)).toBe(join(temp.path, 'a', 'b'));
		expect([modeOf(join(temp.path, 'a')), modeOf(join(temp.path, 'a', 'b'))]).toEqual([0o700, 0o700]);
	});

	it('is rejected or made private if others can access it', async () => {
		await using temp = await createTempDir();
		chmodSync(temp.path, 0o750);
		expect(unwrapError(ensurePrivateDirectory(temp.path)).code).toBe('unsafe_path');
		expect([unwrap(ensurePrivateDirectory(temp.path, 'close')), modeOf(temp.path)]).toEqual([temp.path, 0o700]);
	});

	it('is rejected if it is a symlink, even with a trailing slash, or a file', async () => {
		await using temp = await createTempDir();
		const at = (name: string) => join(temp.path, name);
		mkdirSync(at('elsewhere'), { mode: 0o700 });
		symlinkSync(at('elsewhere'), at('link'));
		symlinkSync(at('nowhere'), at('dangling'));
		writeFileSync(at('file'), '');
		for (const path of [at('link'), `${at('link')}/`, at('dangling'), at('file')])
			expect(unwrapError(ensurePrivateDirectory(path, 'close')).code).toBe('unsafe_path');
		expect(unwrapError(ensurePrivateDirectory(join(at('file'), 'below'))).code).toBe('cannot_start');
	});
});

describe('makeDirectories', () => {
	it('returns the created directories, outermost first', async () => {
		await using temp = await createTempDir();
		const [outer, inner] = [join(temp.path, 'a'), join(temp.path, 'a', 'b')];
		expect(makeDirectories(inner)).toEqual([outer, inner]);
		expect(makeDirectories(inner)).toEqual([]);
	});
});
