import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	closeSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import {
	createPrivateFile,
	openPrivateLog,
	readPrivateFile,
	readPrivateJson,
	replacePrivateFile,
	writePrivateFile,
} from './private-file.ts';

describe('private file', () => {
	it('is readable by its owner only, regardless of the umask', async () => {
		await using temp = await createTempDir();
		const at = (name: string) => join(temp.path, name);
		const [replaced, created, log] = [at('replaced'), at('created'), at('log')];
		const before = process.umask(0);
		try {
			unwrap(replacePrivateFile(replaced, 'a'));
			unwrap(createPrivateFile(created, 'a'));
			closeSync(unwrap(openPrivateLog(log)));
		} finally {
			process.umask(before);
		}
		expect([replaced, created, log].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
	});

	it('replaces a planted symlink, and leaves its target unchanged', async () => {
		await using temp = await createTempDir();
		const { target, link } = plantLink(temp.path);
		unwrap(replacePrivateFile(link, 'ours'));
		expect([readFileSync(target, 'utf8'), unwrap(readPrivateFile(link))]).toEqual(['theirs', 'ours']);
	});

	it('is not created, read or appended to through a symlink, even a dangling one', async () => {
		await using temp = await createTempDir();
		const { target, link } = plantLink(temp.path);
		const dangling = join(temp.path, 'dangling');
		symlinkSync(join(temp.path, 'not-yet'), dangling);
		for (const path of [link, dangling]) {
			expect(unwrap(createPrivateFile(path, 'ours'))).toBe(false);
			expect(unwrapError(readPrivateFile(path))).toMatchObject({ code: 'unsafe_path', message: expect.stringContaining('link') });
			expect(unwrapError(openPrivateLog(path))).toMatchObject({ code: 'unsafe_path' });
		}
		expect(readFileSync(target, 'utf8')).toBe('theirs');
		expect(existsSync(join(temp.path, 'not-yet'))).toBe(false);
	});

	it('is created once: a second call returns false and changes nothing', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'f');
		expect([unwrap(createPrivateFile(path, 'one')), unwrap(createPrivateFile(path, 'two'))]).toEqual([true, false]);
		expect(unwrap(readPrivateFile(path))).toBe('one');
		expect(readdirSync(temp.path)).toEqual(['f']);
	});

	it('is made private when it is read or appended to', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'f');
		writeFileSync(path, 'text\n');
		chmodSync(path, 0o644);
		expect(unwrap(readPrivateFile(path))).toBe('text\n');
		expect(statSync(path).mode & 0o777).toBe(0o600);
		chmodSync(path, 0o666);
		const log = unwrap(openPrivateLog(path));
		writeSync(log, 'more\n');
		closeSync(log);
		expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([0o600, 'text\nmore\n']);
	});

	it('is null if there is none', async () => {
		await using temp = await createTempDir();
		expect(unwrap(readPrivateFile(join(temp.path, 'none')))).toBeNull();
	});

	it('is parsed as JSON; undefined if it is missing, malformed or not readable', async () => {
		await using temp = await createTempDir();
		const { link } = plantLink(temp.path);
		const path = join(temp.path, 'f');
		unwrap(replacePrivateFile(path, '{"a": [1]}'));
		const whole = readPrivateJson(path);
		unwrap(replacePrivateFile(path, '{"a": [1'));
		expect([whole, ...[path, link, join(temp.path, 'none')].map((each) => readPrivateJson(each))]).toEqual([
			{ a: [1] },
			undefined,
			undefined,
			undefined,
		]);
	});

	it('is rejected if it is a directory, a pipe or too large', async () => {
		await using temp = await createTempDir();
		const at = (name: string) => join(temp.path, name);
		const [directory, pipe, huge] = [at('d'), at('p'), at('h')];
		mkdirSync(directory);
		execFileSync('mkfifo', [pipe]);
		writeFileSync(huge, 'x'.repeat(64 * 1024 + 1));
		for (const path of [directory, pipe, huge]) expect(unwrapError(readPrivateFile(path)).code).toBe('unsafe_path');
		for (const path of [directory, pipe]) expect(unwrapError(openPrivateLog(path)).code).toBe('unsafe_path');
		expect(replacePrivateFile(directory, 'a')).toMatchObject({ ok: false });
		expect(readdirSync(temp.path).sort()).toEqual(['d', 'h', 'p']);
	});

	it.runIf(process.getuid?.() === 0)('is rejected if it belongs to another user', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'f');
		writeFileSync(path, 'theirs', { mode: 0o600 });
		chownSync(path, 65_534, 65_534);
		expect(unwrapError(readPrivateFile(path))).toMatchObject({ code: 'unsafe_path' });
		expect(unwrapError(openPrivateLog(path))).toMatchObject({ code: 'unsafe_path' });
	});

	it('explains the fix if it cannot be written', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'no', 'such', 'f');
		for (const failed of [replacePrivateFile(path, 'a'), createPrivateFile(path, 'a'), openPrivateLog(path)])
			expect(unwrapError(failed)).toMatchObject({ code: 'cannot_start', message: expect.stringContaining('directory yours') });
	});
});

describe('private file in its own directory', () => {
	it('is accessible by its owner only, regardless of the umask, and leaves no temporary file', async () => {
		await using temp = await createTempDir();
		const directory = join(temp.path, 'run');
		mkdirSync(directory, { mode: 0o700 });
		for (const umask of [0, 0o277]) {
			const before = process.umask(umask);
			const written = writePrivateFile(directory, { hooks: { a: 1 } }, 'launch.json');
			process.umask(before);
			const path = unwrap(written);
			expect([path, statSync(path).mode & 0o777]).toEqual([join(directory, 'launch.json'), 0o600]);
			expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ hooks: { a: 1 } });
			expect(readdirSync(directory)).toEqual(['launch.json']);
		}
	});

	it('is rejected in an unsafe directory, and under an unsafe name', async () => {
		await using temp = await createTempDir();
		chmodSync(temp.path, 0o755);
		expect(unwrapError(writePrivateFile(temp.path, {}, 'launch.json')).code).toBe('unsafe_path');
		chmodSync(temp.path, 0o700);
		for (const name of ['../x', '', '.hidden', 'a/b', 'a\0b'])
			expect(unwrapError(writePrivateFile(temp.path, {}, name)).code).toBe('usage');
	});
});

function plantLink(directory: string): { target: string; link: string } {
	const [target, link] = [join(directory, 'target'), join(directory, 'link')];
	writeFileSync(target, 'theirs');
	symlinkSync(target, link);
	return { target, link };
}
