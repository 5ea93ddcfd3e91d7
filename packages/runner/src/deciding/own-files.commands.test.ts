import { judge } from '@roost/core/rules/match';
import { describe, expect, it } from 'vitest';
import { builtinDenies } from './own-files.ts';

const RULES = builtinDenies();
const SCOPE = { sessionId: 's', projectId: 'p' };

describe('built-in denies', () => {
	it.each([
		'roost allow k3f9.1',
		'echo ok && ./roost deny k3f9.1',
		'/opt/roost/roost answer k3f9.1 --set a=b',
		'roost rules add allow "*"',
		'x=$(roost rules)',
		'roost down',
		'roost hooks uninstall',
		'roost plugins install evil@market',
		'./roost mcp add evil -- ./evil',
	])('%s', (command) => {
		expect(judge({ tool: 'Bash', input: { command } }, RULES, SCOPE).decision).toBe('deny');
	});

	it.each(['roost feed k3f9', 'echo roost'])('do not apply to %s', (command) => {
		expect(judge({ tool: 'Bash', input: { command } }, RULES, SCOPE).decision).toBe('none');
	});
});
