import { describe, expect, it } from 'vitest';
import { joinSettings, keepForEnforce, refuseToEnforce } from './enforced-launch.ts';

describe('enforced launch of claude', () => {
	it.each([
		[['--bare', '-p', 'x'], '--bare switches every hook off'],
		[['-p', 'x', '--setting-sources=project'], '--setting-sources can load hooks'],
		[['--plugin-dir', 'p'], '--plugin-dir can load hooks'],
		[['--agents', '{}'], '--agents can load hooks'],
		[['--managed-settings', '{}'], '--managed-settings can switch hooks off'],
		[['--bg', 'x'], '--bg runs the session elsewhere'],
		[['attach', 'x'], '"claude attach" runs sessions that Roost does not see'],
	])('is refused for %j', (args, why) => {
		expect(refuseToEnforce(args, {})).toContain(why);
	});

	it.each([
		'CLAUDE_CODE_SIMPLE',
		'CLAUDE_CODE_SAFE_MODE',
		'CLAUDE_CODE_PLUGIN_DIRS',
		'CLAUDE_CODE_DESKTOP_SKILLS_PLUGIN_DIR',
		'CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS',
	])('is refused if %s is set', (name) => {
		expect(refuseToEnforce([], { [name]: '1' })).toContain(`unset it`);
		expect(refuseToEnforce([], { [name]: '' })).toBeNull();
	});

	it.each([[['-p', 'x']], [['mcp', 'list']], [['--permission-mode', 'plan', '--', '--bare']], [['--model=x', 'attach it']]])(
		'is allowed with %j',
		(args) => {
			expect(refuseToEnforce(args, { CLAUDE_CODE_USE_BEDROCK: '1' })).toBeNull();
		},
	);

	it('keeps user settings except tool-call hooks, plugins and variables that disable hooks', () => {
		const given = {
			model: 'x',
			permissions: { deny: ['Bash(rm *)'] },
			env: { A: '1', CLAUDE_CODE_SIMPLE: '1' },
			hooks: { PreToolUse: ['p'], PermissionRequest: ['r'], Stop: ['s'] },
			enabledPlugins: { 'a@b': true },
		};
		const { settings, leftOut } = keepForEnforce(given, 'your settings');
		expect(settings).toEqual({ model: 'x', permissions: { deny: ['Bash(rm *)'] }, env: { A: '1' }, hooks: { Stop: ['s'] } });
		expect(leftOut).toEqual([
			'Plugins of your settings have no effect with --enforce: they could change approved calls.',
			'PreToolUse and PermissionRequest hooks of your settings have no effect with --enforce: they could change approved calls.',
		]);
		expect(keepForEnforce({ model: 'x', enabledPlugins: { 'a@b': false } }, 'x')).toEqual({
			settings: { model: 'x' },
			leftOut: [],
		});
	});

	it('merges settings the way claude does', () => {
		expect(joinSettings({ a: [1], b: { c: 1, d: 1 }, e: 1 }, { a: [2], b: { c: 2 }, e: [2] })).toEqual({
			a: [1, 2],
			b: { c: 2, d: 1 },
			e: [2],
		});
	});
});
