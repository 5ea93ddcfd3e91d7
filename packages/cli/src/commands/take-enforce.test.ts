import { describe, expect, it } from 'vitest';
import { takeEnforce } from './launch.ts';

describe('--enforce among the arguments of an agent', () => {
	it.each([
		[['-p', 'x', '--enforce'], ['-p', 'x'], true],
		[['--model', 'opus', '--enforce', '--', '--enforce'], ['--model', 'opus', '--', '--enforce'], true],
		[['-p', 'x'], ['-p', 'x'], false],
		[['--', '--enforce'], ['--', '--enforce'], false],
		[[], [], false],
	])('%j leaves %j, enforced: %s', (given, args, enforce) => {
		expect(takeEnforce(given, ['node', 'roost', 'claude', ...given])).toEqual({ args, enforce });
	});

	it('belongs to the agent after a "--" that the parser removed', () => {
		const args = ['-p', '--enforce'];
		expect(takeEnforce(args, ['node', 'roost', 'claude', '--', ...args])).toEqual({ args, enforce: false });
	});
});
