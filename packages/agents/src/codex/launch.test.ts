import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { CODEX_LAUNCH, readCodexArgs, toCodexArgv } from './launch.ts';

const forwarder = { node: '/n', script: '/f', askMs: 3_600_000 };
const launch = (gate: 'observe' | 'enforce', ...args: string[]) => ({
	args,
	gate,
	cwd: '/',
	command: ['codex'] as const,
	env: {},
	dir: '/',
	forwarder,
});

describe('codex arguments', () => {
	it.each([
		[['mcp', 'list'], { managementOnly: true }],
		[['--version'], { managementOnly: true }],
		[['--', '--version'], { managementOnly: false, command: '' }],
		[['fix it'], { headless: false, managementOnly: false, command: '' }],
		[['-m', 'exec', 'exec', 'x'], { headless: true, command: 'exec' }],
		[['-m', 'exec', 'x'], { headless: false, command: '' }],
		[['-c', 'model=x', 'resume', '--last'], { headless: false, command: 'resume' }],
		[['review'], { headless: true }],
	])('parses %j', (args, read) => expect(readCodexArgs(args)).toMatchObject(read));

	it.each([
		['-c', 'features.hooks=false'],
		['-cfeatures.hooks=false'],
		['--config=features={hooks = false}'],
		['--config', 'hooks.PreToolUse=[]'],
		['-c', '"hooks"={}'],
		['--disable', 'hooks'],
		['--disable=hooks'],
		['--remote', 'unix://'],
		['agents'],
	])('refuses %s %s in enforce mode and warns in observe mode, as it skips the hooks', async (...args) => {
		expect(readCodexArgs(args).skipsHooks).toBe(true);
		expect(await CODEX_LAUNCH.prepare(launch('enforce', ...args))).toMatchObject({ ok: false, error: { code: 'usage' } });
		expect(unwrap(await CODEX_LAUNCH.prepare(launch('observe', ...args))).says).toEqual([
			expect.stringContaining('may not be on record'),
		]);
	});

	it('does not mistake arguments that merely mention hooks for ones that skip them', () => {
		expect(readCodexArgs(['explain the hooks', '-c', 'model="features"']).skipsHooks).toBe(false);
	});

	it('passes user arguments through and inserts its own after options and before operands', () => {
		const argv = toCodexArgv(readCodexArgs(['exec', '-m', 'x', '--', '-c']), forwarder, 'observe');
		expect(argv.slice(0, 4)).toEqual(['exec', '-m', 'x', '-c']);
		expect(argv.slice(-2)).toEqual(['--', '-c']);
		expect(argv.find((arg) => arg.startsWith('hooks.Stop='))).toMatch(/\bcommand="\S+ .* \/n \S+ \/f Stop", timeout=10\}\]\}\]$/);
		expect(argv).not.toContain('--no-daemon');
		expect(toCodexArgv(readCodexArgs(['fix it']), forwarder, 'observe').slice(0, 2)).toEqual(['fix it', '--no-daemon']);
	});

	it('adds hooks that deny on failure only in enforce mode', () => {
		const hookOf = (gate: 'observe' | 'enforce') =>
			toCodexArgv(readCodexArgs([]), forwarder, gate).find((arg) => arg.startsWith('hooks.PreToolUse='));
		expect(hookOf('observe')).toContain('/f PreToolUse --wait-ms 3620000", timeout=3630}');
		expect(hookOf('enforce')).toContain('exit 2');
	});
});
