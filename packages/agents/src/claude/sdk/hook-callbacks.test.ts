import { describe, expect, it } from 'vitest';
import { toHookCallbacks } from './gate.ts';

const unused = () => {
	throw new Error('nobody calls this here');
};
const hooks = toHookCallbacks({ gate: { preToolUse: unused, canUseTool: unused }, observe: unused, askMs: 60_000 });

describe('hook callbacks', () => {
	it('gate every tool call, block on failure, and omit failure and batch hooks', () => {
		expect(hooks.PreToolUse).toMatchObject([{ onFailure: 'block' }]);
		expect(hooks.PreToolUse?.[0]).not.toHaveProperty('matcher');
		expect(hooks).not.toHaveProperty('PostToolUseFailure');
		expect(hooks).not.toHaveProperty('PostToolBatch');
	});

	it('observe results only of tools for which the stream lacks details', () => {
		const matcher = new Set(hooks.PostToolUse?.[0]?.matcher?.split('|'));
		expect(['Edit', 'Write', 'TaskCreate'].filter((tool) => !matcher.has(tool))).toEqual([]);
		expect(['Bash', 'Read', 'Agent', 'AskUserQuestion'].filter((tool) => matcher.has(tool))).toEqual([]);
	});
});
