import { describe, expect, it } from 'vitest';
import { ASKING_MODE, readClaudeArgs, toClaudeArgv } from './launch.ts';

describe('starting the user’s claude', () => {
	it('puts what is added before the arguments of the user', () => {
		const argv = toClaudeArgv(readClaudeArgs(['-p', 'hi']), '/s.json', ASKING_MODE);
		expect(argv).toEqual(['--settings', '/s.json', '--permission-mode', 'manual', '-p', 'hi']);
	});

	it.each([['--permission-mode', 'plan'], ['--permission-mode=plan'], ['--dangerously-skip-permissions']])(
		'knows that the user names a mode: %s',
		(...args) => {
			expect(readClaudeArgs(args).namesPermissionMode).toBe(true);
		},
	);

	it.each([[['--settings', '{"model":"x"}', 'hi']], [['--settings={"model":"x"}', 'hi']]])(
		'takes the user’s own settings out, to merge them: %j',
		(args) => {
			expect(readClaudeArgs(args)).toMatchObject({ userSettings: '{"model":"x"}', args: ['hi'] });
		},
	);

	it('leaves everything after -- alone', () => {
		const read = readClaudeArgs(['--', '--settings', 'x', '--permission-mode', '-p']);
		expect(read).toMatchObject({ userSettings: null, namesPermissionMode: false, headless: false });
		expect(read.args).toEqual(['--', '--settings', 'x', '--permission-mode', '-p']);
	});

	it('knows what is headless, what skips hooks and what runs no agent', () => {
		expect(readClaudeArgs(['--print', 'x']).headless).toBe(true);
		expect(readClaudeArgs(['--bare']).skipsHooks).toBe(true);
		expect(readClaudeArgs(['mcp', 'list']).managementOnly).toBe(true);
		expect(readClaudeArgs(['--version']).managementOnly).toBe(true);
		expect(readClaudeArgs(['tell me about mcp']).managementOnly).toBe(false);
	});
});
