// Copilot's shell tools by their own names: the guard must recognise each of them.
import { describe, expect, it } from 'vitest';
import { GUARD_WIRES } from '../guard-program/wires.ts';

const readCall = (toolName: string, toolArgs: string) => GUARD_WIRES.get('copilot')?.readCall({ toolName, toolArgs, cwd: '/w' });

describe('Copilot shell tool mapping', () => {
	it.each([
		['bash', {}, 'Bash'],
		['write_bash', { shellId: '1', input: 'ls' }, 'BashInput'],
		['read_bash', { shellId: '1' }, 'BashOutput'],
		['list_bash', {}, 'BashOutput'],
		['stop_bash', { shellId: '1' }, 'KillShell'],
		['powershell', {}, 'PowerShell'],
		['write_powershell', { shellId: '1', input: 'ls' }, 'BashInput'],
		['read_powershell', {}, 'BashOutput'],
		['stop_powershell', {}, 'KillShell'],
	])('maps %s %j to %s', (name, input, tool) => {
		expect(readCall(name, JSON.stringify(input))).toMatchObject({ tool });
	});

	it('keeps a plain-text argument as input', () => {
		expect(readCall('console', 'git push')).toEqual({ tool: 'console', input: { input: 'git push' }, cwd: '/w' });
	});
});
