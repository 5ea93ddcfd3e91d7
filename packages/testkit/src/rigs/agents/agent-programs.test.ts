import { expect, it } from 'vitest';
import { agentProgram, findAgentProgram } from './agent-programs.ts';

it('finds Claude inside node_modules, not on the PATH', () => {
	expect(findAgentProgram('claude')).toMatch(/node_modules.*claude-agent-sdk-.*claude/);
});

it('names the fix on a platform without an installed Claude', () => {
	expect(agentProgram('claude', { os: 'plan9', arch: 'mips' })).toEqual({
		name: 'claude',
		missing: expect.stringContaining('claude-agent-sdk-plan9-mips is not installed: run `npm ci`'),
	});
});
