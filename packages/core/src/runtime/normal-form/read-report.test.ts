import { describe, expect, it } from 'vitest';
import { readReport } from './read-report.ts';

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' } };

describe('report', () => {
	it('is typed by its hook if it matches the normal form', () => {
		const report = readReport('PreToolUse', { ...CALL, own_field: 1 });
		expect(report).toEqual({ hookName: 'PreToolUse', payload: { ...CALL, own_field: 1 } });
		if (report.unread !== undefined || report.hookName !== 'PreToolUse') throw new Error('it was not read');
		expect(report.payload.tool_input.command).toBe('ls');
	});

	it.each([
		['SomethingNew', CALL, 'unknown'],
		['constructor', CALL, 'unknown'],
		['PreToolUse', { tool_name: 'Bash' }, 'malformed'],
		['SessionStart', null, 'malformed'],
	] as const)('is kept unchanged if it is unknown or malformed: %s %j', (hookName, payload, unread) => {
		expect(readReport(hookName, payload)).toEqual({ hookName, payload, unread });
	});
});
