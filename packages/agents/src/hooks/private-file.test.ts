import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writePrivateJson } from './private-file.ts';

describe('writePrivateJson', () => {
	function openWorld() {
		const root = mkdtempSync(join(tmpdir(), 'roost-settings-'));
		return { root, dir: join(root, 'run'), [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
	}

	it('writes a file that only this user can read, whatever the umask, and leaves no draft', async () => {
		using world = openWorld();
		for (const umask of [0, 0o277]) {
			mkdirSync(world.dir, { recursive: true, mode: 0o700 });
			const before = process.umask(umask);
			const written = await writePrivateJson(world.dir, { hooks: { a: 1 } }, 'launch.json');
			process.umask(before);
			expect(written).toEqual({ ok: true, value: join(world.dir, 'launch.json') });
			expect(lstatSync(join(world.dir, 'launch.json')).mode & 0o777).toBe(0o600);
			expect(JSON.parse(readFileSync(join(world.dir, 'launch.json'), 'utf8'))).toEqual({ hooks: { a: 1 } });
			expect(readdirSync(world.dir)).toEqual(['launch.json']);
		}
	});

	it('replaces a planted link instead of writing through it', async () => {
		using world = openWorld();
		mkdirSync(world.dir, { mode: 0o700 });
		writeFileSync(join(world.root, 'target'), 'untouched');
		symlinkSync(join(world.root, 'target'), join(world.dir, 'launch.json'));
		expect(await writePrivateJson(world.dir, {}, 'launch.json')).toMatchObject({ ok: true });
		expect(readFileSync(join(world.root, 'target'), 'utf8')).toBe('untouched');
		expect(lstatSync(join(world.dir, 'launch.json')).isFile()).toBe(true);
	});

	it('refuses a directory that is not safe, and a name that leads elsewhere', async () => {
		using world = openWorld();
		mkdirSync(world.dir);
		chmodSync(world.dir, 0o755);
		expect(await writePrivateJson(world.dir, {}, 'launch.json')).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
		chmodSync(world.dir, 0o700);
		for (const name of ['../x', '', '.hidden', 'a/b', 'a\0b']) {
			expect(await writePrivateJson(world.dir, {}, name)).toMatchObject({ ok: false, error: { code: 'usage' } });
		}
	});

	it('leaves nothing behind when it fails', async () => {
		using world = openWorld();
		mkdirSync(join(world.dir, 'launch.json', 'occupied'), { recursive: true, mode: 0o700 });
		expect(await writePrivateJson(world.dir, {}, 'launch.json')).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
		expect(readdirSync(world.dir)).toEqual(['launch.json']);
	});
});
