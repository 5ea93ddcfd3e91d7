import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { keepToken } from './token.ts';

const GIVEN = 'g'.repeat(32);

describe('token', () => {
	it('is created once with 256 bits, private to its owner regardless of the umask', async () => {
		await using world = await createWorld();
		const before = process.umask(0);
		try {
			expect(unwrap(keepToken({ home: world, env: {} }))).toMatch(/^[\w-]{43}$/);
		} finally {
			process.umask(before);
		}
		const token = unwrap(keepToken({ home: world, env: {} }));
		expect(readFileSync(world.file, 'utf8')).toBe(`${token}\n`);
		expect(statSync(world.file).mode & 0o777).toBe(0o600);
	});

	it('is different in another home', async () => {
		await using one = await createWorld();
		await using two = await createWorld();
		expect(unwrap(keepToken({ home: one, env: {} }))).not.toBe(unwrap(keepToken({ home: two, env: {} })));
	});

	it('is the same for concurrent starts', async () => {
		await using world = await createWorld();
		const script = `import { keepToken } from ${JSON.stringify(import.meta.resolve('./token.ts'))};
			process.stdout.write(JSON.stringify(keepToken({ home: { data: process.argv[1] }, env: {} })));`;
		const argv = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script, world.path] as const;
		const programs = await Promise.all(Array.from({ length: 4 }, () => startProgram(argv, { cwd: world.path, env: {} })));
		const exits = await Promise.all(programs.map((program) => program.waitForExit(60_000)));
		const token = unwrap(keepToken({ home: world, env: {} }));
		expect(exits.map(({ stdout }) => JSON.parse(stdout))).toEqual(Array(4).fill({ ok: true, value: token }));
	});

	it('is taken from the environment, else the configuration, else the file', async () => {
		await using world = await createWorld();
		const kept = unwrap(keepToken({ home: world, env: {} }));
		const tokenFile = join(world.path, 'mine');
		writeFileSync(tokenFile, `${'f'.repeat(40)}\n`, { mode: 0o600 });
		const auth = { token: 'c'.repeat(32), tokenFile };
		expect(unwrap(keepToken({ home: world, env: { ROOST_AUTH_TOKEN: GIVEN }, auth }))).toBe(GIVEN);
		expect(unwrap(keepToken({ home: world, env: {}, auth }))).toBe(auth.token);
		expect(unwrap(keepToken({ home: world, env: {}, auth: { tokenFile } }))).toBe('f'.repeat(40));
		expect(unwrap(keepToken({ home: world, env: { ROOST_AUTH_TOKEN: '' }, auth: {} }))).toBe(kept);
	});

	it('creates no file if it comes from the environment', async () => {
		await using world = await createWorld();
		unwrap(keepToken({ home: world, env: { ROOST_AUTH_TOKEN: GIVEN } }));
		expect(existsSync(world.file)).toBe(false);
	});

	it.each(['hunter2', 'g'.repeat(31), ' '.repeat(40), `${GIVEN}\n`, `${GIVEN} x`, `${GIVEN}é`, 'g'.repeat(513)])(
		'is rejected without being shown if it is weak or malformed: %j',
		async (weak) => {
			await using world = await createWorld();
			const error = unwrapError(keepToken({ home: world, env: { ROOST_AUTH_TOKEN: weak } }));
			expect(error).toMatchObject({ code: 'cannot_start', message: expect.stringContaining('ROOST_AUTH_TOKEN') });
			expect(error.message).toContain(`${weak.length} characters; it needs 32`);
			expect(error.message).not.toContain(weak);
			expect(keepToken({ home: world, env: {}, auth: { token: weak } })).toMatchObject({ ok: false });
		},
	);

	it('is rejected if its file was truncated', async () => {
		await using world = await createWorld();
		for (const text of ['', '\n', 'short']) {
			writeFileSync(world.file, text, { mode: 0o600 });
			expect(unwrapError(keepToken({ home: world, env: {} })).message).toContain('remove it, and a new one is made');
		}
	});

	it('is never read or created through a symlink', async () => {
		await using world = await createWorld();
		const target = join(world.path, 'target');
		symlinkSync(target, world.file);
		expect(unwrapError(keepToken({ home: world, env: {} }))).toMatchObject({ code: 'unsafe_path' });
		expect(existsSync(target)).toBe(false);
		writeFileSync(target, GIVEN, { mode: 0o600 });
		expect(unwrapError(keepToken({ home: world, env: {} }))).toMatchObject({ code: 'unsafe_path' });
	});

	it('is made private before use if others could read its file', async () => {
		await using world = await createWorld();
		const token = unwrap(keepToken({ home: world, env: {} }));
		chmodSync(world.file, 0o644);
		expect(unwrap(keepToken({ home: world, env: {} }))).toBe(token);
		expect(statSync(world.file).mode & 0o777).toBe(0o600);
	});

	it('is not created at a path that the user configured', async () => {
		await using world = await createWorld();
		const tokenFile = join(world.path, 'none');
		expect(unwrapError(keepToken({ home: world, env: {}, auth: { tokenFile } })).message).toContain(tokenFile);
		expect(existsSync(tokenFile)).toBe(false);
	});
});

async function createWorld() {
	const temp = await createTempDir();
	return { ...temp, data: temp.path, file: join(temp.path, 'token') };
}
