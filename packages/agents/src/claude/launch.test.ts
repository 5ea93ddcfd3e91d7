import { describe, expect, it } from 'vitest';
import { ASKING_MODE, readClaudeArgs, toClaudeArgv } from './launch.ts';

describe('claude launch arguments', () => {
	it('put added arguments before those of the user', () => {
		const argv = toClaudeArgv(readClaudeArgs(['-p', 'hi']), '/s.json', ASKING_MODE);
		expect(argv).toEqual(['--settings', '/s.json', '--permission-mode', 'manual', '-p', 'hi']);
	});

	it.each([['--permission-mode', 'plan'], ['--permission-mode=plan'], ['--dangerously-skip-permissions']])(
		'detect a permission mode set by the user: %s',
		(...args) => {
			expect(readClaudeArgs(args).namesPermissionMode).toBe(true);
		},
	);

	it.each([[['--settings', '{"model":"x"}', 'hi']], [['--settings={"model":"x"}', 'hi']]])(
		'extract the settings of the user for merging: %j',
		(args) => {
			expect(readClaudeArgs(args)).toMatchObject({ userSettings: '{"model":"x"}', args: ['hi'] });
		},
	);

	it('leave everything after -- unchanged', () => {
		const read = readClaudeArgs(['--', '--settings', 'x', '--permission-mode', '-p']);
		expect(read).toMatchObject({ userSettings: null, namesPermissionMode: false, headless: false });
		expect(read.args).toEqual(['--', '--settings', 'x', '--permission-mode', '-p']);
	});

	it('detect headless runs, skipped hooks and management commands', () => {
		expect(readClaudeArgs(['--print', 'x']).headless).toBe(true);
		expect(readClaudeArgs(['--bare']).skipsHooks).toBe(true);
		expect(readClaudeArgs(['mcp', 'list']).managementOnly).toBe(true);
		expect(readClaudeArgs(['--version']).managementOnly).toBe(true);
		expect(readClaudeArgs(['tell me about mcp']).managementOnly).toBe(false);
	});
});
