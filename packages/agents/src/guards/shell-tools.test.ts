// The shell tools of each agent by their own names: the guard must recognise each of them.
import { describe, expect, it } from 'vitest';
import type { GuardedCall } from '../base/types.ts';
import { GUARD_WIRES } from '../guard-program/wires.ts';

function toolOf(agent: string, name: string, input: object): string | undefined {
	const payload =
		agent === 'pi'
			? { toolName: name, input, cwd: '/w' }
			: { hook_event_name: 'PreToolUse', tool_name: name, tool_input: input, cwd: '/w' };
	const calls: GuardedCall[] = [GUARD_WIRES.get(agent)?.readCall(payload) ?? []].flat();
	return calls[0]?.tool;
}

describe('shell tool mapping', () => {
	it.each([
		['claude', 'Bash', {}, 'Bash'],
		['claude', 'PowerShell', {}, 'PowerShell'],
		['claude', 'Monitor', {}, 'Monitor'],
		['codex', 'Bash', {}, 'Bash'],
		['codex', 'write_stdin', { session_id: 1, chars: 'ls\n' }, 'BashInput'],
		['codex', 'write_stdin', { session_id: 1, chars: '' }, 'BashOutput'],
		['pi', 'bash', {}, 'Bash'],
		['pi', 'powershell', {}, 'PowerShell'],
	])('for %s, maps %s %j to %s', (agent, name, input, tool) => {
		expect(toolOf(agent, name, input)).toBe(tool);
	});
});
