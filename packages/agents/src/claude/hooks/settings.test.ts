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
import { HOOK_NAMES } from './hook-names.ts';
import { buildHookSettings, type HookEntry, writeLaunchSettings } from './settings.ts';

const BASE = {
	httpUrl: 'http://127.0.0.1:4000/hook',
	socketPath: '/run/x.sock',
	forwarder: { node: '/bin/node', script: '/lib/forwarder.js' },
	gate: 'observe',
	transport: 'http',
} as const;

function entries(options: Partial<Parameters<typeof buildHookSettings>[0]> = {}): Map<string, HookEntry> {
	const { hooks } = buildHookSettings({ ...BASE, ...options });
	return new Map(
		Object.entries(hooks).map(
			([
				name,
				[
					{
						hooks: [entry],
					},
				],
			]) => [name, entry],
		),
	);
}

describe('buildHookSettings', () => {
	it('covers every known hook but the two that would change how Claude works', () => {
		const names = HOOK_NAMES.filter((name) => name !== 'WorktreeCreate' && name !== 'FileChanged');
		expect([...entries().keys()].sort()).toEqual([...names].sort());
	});

	it('goes by HTTP, with the secret taken from the environment', () => {
		expect(entries().get('PostToolUse')).toEqual({
			type: 'http',
			url: 'http://127.0.0.1:4000/hook',
			headers: { authorization: 'Bearer $ROOST_HOOK_SECRET' },
			allowedEnvVars: ['ROOST_HOOK_SECRET'],
			timeout: 10,
		});
	});

	it('uses the forwarder, as an argv and not a shell string, where HTTP hooks do not run', () => {
		const commands = [...entries()].filter(([, entry]) => entry.type === 'command');
		expect(commands).toEqual(
			['SessionStart', 'Setup'].map((name) => [
				name,
				{ type: 'command', command: '/bin/node', args: ['/lib/forwarder.js', name], timeout: 10 },
			]),
		);
	});

	it('uses the forwarder for everything when told so', () => {
		expect(new Set([...entries({ transport: 'command' }).values()].map((entry) => entry.type))).toEqual(new Set(['command']));
	});

	it("gives Claude's own timeout room above Roost's deadline where somebody may be asked", () => {
		for (const [name, entry] of entries())
			expect(entry.timeout).toBe(name === 'PreToolUse' || name === 'PermissionRequest' ? 330 : 10);
	});

	it('blocks on failure at the gating hooks when enforcing, and nowhere else', () => {
		const blocking = (gate: 'observe' | 'enforce') =>
			[...entries({ gate })].filter(([, entry]) => entry.onFailure === 'block').map(([name]) => name);
		expect(blocking('observe')).toEqual([]);
		expect(blocking('enforce').sort()).toEqual(['PermissionRequest', 'PreToolUse']);
	});

	it('runs nothing in the background', () => {
		for (const transport of ['http', 'command'] as const) {
			for (const entry of entries({ transport }).values()) expect(entry).not.toHaveProperty('async');
		}
	});

	it('pins what a repository might otherwise set', () => {
		const settings = buildHookSettings({ ...BASE, gate: 'enforce', secret: 'the-secret', noProxy: '' });
		expect(settings.disableAllHooks).toBe(false);
		expect(settings.env).toEqual({
			ROOST_HOOK_SOCKET: '/run/x.sock',
			ROOST_HOOK_GATE: 'enforce',
			ROOST_HOOK_SECRET: 'the-secret',
			NO_PROXY: '127.0.0.1',
			no_proxy: '127.0.0.1',
		});
	});

	it("keeps the user's own exceptions from their proxy", () => {
		const noProxy = (value: string) => buildHookSettings({ ...BASE, noProxy: value }).env.NO_PROXY;
		expect(noProxy('.corp.example')).toBe('.corp.example,127.0.0.1');
		expect(noProxy('*')).toBe('*');
	});
});

describe('writeLaunchSettings', () => {
	function openWorld() {
		const root = mkdtempSync(join(tmpdir(), 'roost-settings-'));
		return { root, dir: join(root, 'run'), [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
	}

	it('writes a file that only this user can read, whatever the umask, and leaves no draft', async () => {
		using world = openWorld();
		for (const umask of [0, 0o277]) {
			mkdirSync(world.dir, { recursive: true, mode: 0o700 });
			const before = process.umask(umask);
			const written = await writeLaunchSettings(world.dir, { hooks: { a: 1 } }, 'launch.json');
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
		expect(await writeLaunchSettings(world.dir, {}, 'launch.json')).toMatchObject({ ok: true });
		expect(readFileSync(join(world.root, 'target'), 'utf8')).toBe('untouched');
		expect(lstatSync(join(world.dir, 'launch.json')).isFile()).toBe(true);
	});

	it('refuses a directory that is not safe, and a name that leads elsewhere', async () => {
		using world = openWorld();
		mkdirSync(world.dir);
		chmodSync(world.dir, 0o755);
		expect(await writeLaunchSettings(world.dir, {}, 'launch.json')).toMatchObject({ ok: false, error: { code: 'unsafe_path' } });
		chmodSync(world.dir, 0o700);
		for (const name of ['../x', '', '.hidden', 'a/b', 'a\0b']) {
			expect(await writeLaunchSettings(world.dir, {}, name)).toMatchObject({ ok: false, error: { code: 'usage' } });
		}
	});

	it('leaves nothing behind when it fails', async () => {
		using world = openWorld();
		mkdirSync(join(world.dir, 'launch.json', 'occupied'), { recursive: true, mode: 0o700 });
		expect(await writeLaunchSettings(world.dir, {}, 'launch.json')).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
		expect(readdirSync(world.dir)).toEqual(['launch.json']);
	});
});
