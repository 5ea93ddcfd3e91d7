import { judge } from '@roost/core/rules/match';
import { describe, expect, it } from 'vitest';
import { builtinDenies } from './builtin-denies.ts';

const RULES = builtinDenies({ data: '/home/lea/.local/share/roost', run: '/run/user/1/roost' }, '/home/lea');
const SCOPE = { sessionId: 's', projectId: 'p' };

describe('what no agent may do', () => {
	it.each([
		['Read', { file_path: '/home/lea/.local/share/roost/token' }],
		['Edit', { file_path: '/home/lea/project/../.local/share/roost/roost.db' }],
		['Write', { file_path: '/run/user/1/roost/runner.json' }],
		['Bash', { command: 'cat /home/lea/.local/share/roost/token' }],
		['Bash', { command: 'ls; cp /home/lea/.local/share/roost/token /tmp' }],
		['Bash', { command: 'cat ~/.local/share/roost/token' }],
		['Bash', { command: 'cat "$HOME"/.local/share/roost/token' }],
		['Bash', { command: `cat "\${HOME}/.local/share/roost/token"` }],
		['Bash', { command: 'cat $ROOST_HOME/token' }],
		['Bash', { command: `cat "\${ROOST_HOME:-x}/token"` }],
		['Bash', { command: 'roost allow k3f9.1' }],
		['Bash', { command: 'echo ok && ./roost deny k3f9.1' }],
		['Bash', { command: '/opt/roost/roost answer k3f9.1 --set a=b' }],
		['Bash', { command: 'roost rules add allow "*"' }],
		['Bash', { command: 'x=$(roost rules)' }],
		['Bash', { command: 'roost down' }],
		['Bash', { command: 'roost hooks uninstall' }],
		['Bash', { command: 'roost plugins install evil@market' }],
		['Bash', { command: './roost mcp add evil -- ./evil' }],
	])('%s %j', (tool, input) => {
		expect(judge({ tool, input }, RULES, SCOPE).decision).toBe('deny');
	});

	it.each([
		['Read', { file_path: '/home/lea/project/roost.md' }],
		['Bash', { command: 'roost feed k3f9' }],
		['Bash', { command: 'echo roost' }],
	])('but this it may: %s %j', (tool, input) => {
		expect(judge({ tool, input }, RULES, SCOPE).decision).toBe('none');
	});
});
