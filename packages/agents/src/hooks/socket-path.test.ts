import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHookServer } from './server.ts';
import { hookSocketPath } from './socket-listener.ts';

function openWorld() {
	const root = mkdtempSync(join(tmpdir(), 'roost-path-'));
	return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

function setTmpdir(dir: string) {
	const before = process.env.TMPDIR;
	process.env.TMPDIR = dir;
	return {
		[Symbol.dispose]() {
			if (before === undefined) delete process.env.TMPDIR;
			else process.env.TMPDIR = before;
		},
	};
}

/** Leaves a socket behind, like a killed process. */
function leaveSocket(path: string): void {
	const script = 'require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
	spawnSync(process.execPath, ['-e', script, path]);
	expect(lstatSync(path).isSocket()).toBe(true);
}

function longDir(root: string): string {
	const dir = join(root, 'ü'.repeat(60), '漢'.repeat(60), 'run');
	expect(Buffer.byteLength(dir)).toBeGreaterThan(300);
	return dir;
}

const mode = (path: string) => lstatSync(path).mode & 0o777;
const start = (runDir: string) => startHookServer({ runDir, now: Date.now, newId: () => 'id' });

describe('hookSocketPath', () => {
	it('is a short hashed name in the run directory that is stable for each key', () => {
		using world = openWorld();
		const path = hookSocketPath(join(world.root, 'run'), 'a');
		expect(path).toEqual({ ok: true, value: expect.stringMatching(/\/run\/[0-9a-f]{16}\.sock$/) });
		expect(hookSocketPath(join(world.root, 'run'), 'a')).toEqual(path);
		expect(hookSocketPath(join(world.root, 'run'), 'b')).not.toEqual(path);
	});

	it('makes the run directory and the socket private even with an open umask', async () => {
		using world = openWorld();
		const before = process.umask(0);
		try {
			const started = await start(join(world.root, 'run'));
			if (!started.ok) throw started.error;
			await using server = started.value;
			expect(mode(join(world.root, 'run'))).toBe(0o700);
			expect(mode(server.socketPath)).toBe(0o600);
		} finally {
			process.umask(before);
		}
	});

	it('stays within 103 bytes in a private directory for a run directory of over 300 bytes', async () => {
		using world = openWorld();
		using _ = setTmpdir(world.root);
		const started = await start(longDir(world.root));
		if (!started.ok) throw started.error;
		await using server = started.value;
		expect(Buffer.byteLength(server.socketPath)).toBeLessThanOrEqual(103);
		expect(mode(dirname(server.socketPath))).toBe(0o700);
		expect(lstatSync(server.socketPath).isSocket()).toBe(true);
	});

	it('rejects a planted symlink in the temporary directory, and one whose path is too long', () => {
		using world = openWorld();
		using _ = setTmpdir(world.root);
		symlinkSync(world.root, join(world.root, `roost-${process.getuid?.()}`));
		expect(hookSocketPath(longDir(world.root), 'a')).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
		using __ = setTmpdir(longDir(world.root));
		expect(hookSocketPath(longDir(world.root), 'a')).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
	});

	it('reuses the socket path of a killed runner and removes only stale Roost sockets', async () => {
		using world = openWorld();
		const path = hookSocketPath(world.root, 'hooks');
		if (!path.ok) throw path.error;
		const dead = join(world.root, '0123456789abcdef.sock');
		const foreign = join(world.root, 'other.sock');
		for (const left of [path.value, dead, foreign]) leaveSocket(left);
		const started = await start(world.root);
		if (!started.ok) throw started.error;
		await using server = started.value;
		expect(server.socketPath).toBe(path.value);
		expect(readdirSync(world.root).sort()).toEqual(['other.sock', basename(path.value)].sort());
	});

	it('does not touch the socket of a runner that is still alive', async () => {
		using world = openWorld();
		const living = await start(world.root);
		if (!living.ok) throw living.error;
		await using server = living.value;
		expect(await start(world.root)).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
		expect(readdirSync(world.root)).toEqual([basename(server.socketPath)]);
	});

	it('rejects a planted symlink, even with a trailing slash', async () => {
		using world = openWorld();
		mkdirSync(join(world.root, 'elsewhere'), { mode: 0o700 });
		symlinkSync(join(world.root, 'elsewhere'), join(world.root, 'run'));
		for (const dir of [join(world.root, 'run'), `${join(world.root, 'run')}/`]) {
			expect(hookSocketPath(dir, 'a')).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
			expect(await start(dir)).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
		}
	});

	it('rejects a dangling symlink, a file, and a directory that others can access', () => {
		using world = openWorld();
		symlinkSync(join(world.root, 'nowhere'), join(world.root, 'dangling'));
		writeFileSync(join(world.root, 'file'), '');
		mkdirSync(join(world.root, 'open'));
		chmodSync(join(world.root, 'open'), 0o750);
		for (const name of ['dangling', 'file', 'open']) {
			expect(hookSocketPath(join(world.root, name), 'a')).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
		}
	});

	it("rejects another user's directory", () => {
		using world = openWorld();
		const foreign = join(world.root, 'foreign');
		mkdirSync(foreign, { mode: 0o700 });
		if (process.getuid?.() === 0) chownSync(foreign, 65_534, 65_534);
		// Only root can change the owner of a directory; for other users the root directory is foreign.
		expect(hookSocketPath(process.getuid?.() === 0 ? foreign : '/', 'a')).toMatchObject({
			ok: false,
			error: { code: 'unsafe_path' },
		});
	});

	it('returns an error when the directory cannot be created', () => {
		using world = openWorld();
		writeFileSync(join(world.root, 'file'), '');
		expect(hookSocketPath(join(world.root, 'file', 'run'), 'a')).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
	});
});
