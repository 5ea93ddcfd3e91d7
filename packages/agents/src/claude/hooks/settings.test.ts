import { describe, expect, it } from 'vitest';
import { HOOK_NAMES } from '../../hooks/hook-names.ts';
import { buildHookSettings, type HookEntry } from './settings.ts';

const BASE = {
	httpUrl: 'http://127.0.0.1:4000/hook',
	socketPath: '/run/x.sock',
	forwarder: { node: '/bin/node', script: '/lib/forwarder.js', askMs: 3_600_000 },
	gate: 'observe',
	transport: 'http',
} as const;

const LINKED = 'LD_AUDIT LD_LIBRARY_PATH LD_PRELOAD DYLD_FRAMEWORK_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV'.split(
	' ',
);

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
	it('covers every known hook except WorktreeCreate and FileChanged', () => {
		const names = HOOK_NAMES.filter((name) => name !== 'WorktreeCreate' && name !== 'FileChanged');
		expect([...entries().keys()].sort()).toEqual([...names].sort());
	});

	it('uses HTTP with the secret from the environment', () => {
		expect(entries().get('PostToolUse')).toEqual({
			type: 'http',
			url: 'http://127.0.0.1:4000/hook',
			headers: { authorization: 'Bearer $ROOST_HOOK_SECRET' },
			allowedEnvVars: ['ROOST_HOOK_SECRET'],
			timeout: 10,
		});
	});

	it('uses the forwarder, as argv rather than a shell string, for hooks that cannot use HTTP', () => {
		const commands = [...entries()].filter(([, entry]) => entry.type === 'command');
		expect(commands).toEqual(
			['SessionStart', 'Setup'].map((name) => [
				name,
				{
					type: 'command',
					command: '/usr/bin/env',
					args: expect.arrayContaining(['-uNODE_OPTIONS', '/bin/node', '/lib/forwarder.js', name]),
					timeout: 10,
				},
			]),
		);
	});

	it('uses the forwarder for every hook with the command transport', () => {
		expect(new Set([...entries({ transport: 'command' }).values()].map((entry) => entry.type))).toEqual(new Set(['command']));
	});

	it('sets longer timeouts than the Roost deadline for hooks that may wait for a decision', () => {
		for (const [name, entry] of entries())
			expect(entry.timeout).toBe(name === 'PreToolUse' || name === 'PermissionRequest' ? 3_630 : 10);
		const gate = entries({ transport: 'command' }).get('PreToolUse');
		expect(gate).toMatchObject({ args: expect.arrayContaining(['--wait-ms', '3620000']) });
	});

	it('blocks on failure only at the gating hooks and only when enforcing', () => {
		const blocking = (gate: 'observe' | 'enforce') =>
			[...entries({ gate })].filter(([, entry]) => entry.onFailure === 'block').map(([name]) => name);
		expect(blocking('observe')).toEqual([]);
		expect(blocking('enforce').sort()).toEqual(['PermissionRequest', 'PreToolUse']);
	});

	it('marks no hook as async', () => {
		for (const transport of ['http', 'command'] as const) {
			for (const entry of entries({ transport }).values()) expect(entry).not.toHaveProperty('async');
		}
	});

	it('pins settings that a repository could override', () => {
		const settings = buildHookSettings({ ...BASE, gate: 'enforce', secret: 'the-secret', env: { LD_PRELOAD: '/lib/own.so' } });
		expect(settings.disableAllHooks).toBe(false);
		expect(settings.env).toEqual({
			...Object.fromEntries(LINKED.map((name) => [name, ''])),
			LD_PRELOAD: '/lib/own.so',
			ROOST_HOOK_SOCKET: '/run/x.sock',
			ROOST_HOOK_GATE: 'enforce',
			ROOST_HOOK_SECRET: 'the-secret',
			NO_PROXY: '127.0.0.1',
			no_proxy: '127.0.0.1',
		});
	});

	it('keeps the NO_PROXY entries of the user', () => {
		const noProxy = (value: string) => buildHookSettings({ ...BASE, env: { NO_PROXY: value } }).env.NO_PROXY;
		expect(noProxy('.corp.example')).toBe('.corp.example,127.0.0.1');
		expect(noProxy('*')).toBe('*');
	});
});
