import { describe, expect, it } from 'vitest';
import { HOOK_NAMES } from '../hooks/hook-names.ts';
import { getInteractionHints } from './interaction-rules.ts';

describe('getInteractionHints', () => {
	it('lets only PermissionRequest and PreToolUse wait for a decision', () => {
		expect(HOOK_NAMES.filter((name) => getInteractionHints(name).expectsDecision).sort()).toEqual([
			'PermissionRequest',
			'PreToolUse',
		]);
		expect(getInteractionHints('PermissionRequest')).toEqual({
			expectsDecision: true,
			defaultTimeoutMs: 300_000,
			canBlock: true,
		});
		expect(getInteractionHints('PreToolUse')).toEqual({ expectsDecision: true, defaultTimeoutMs: 4000, canBlock: true });
	});

	it('lists the hooks that can block the agent', () => {
		const blockable = HOOK_NAMES.filter((name) => getInteractionHints(name).canBlock);
		expect(blockable.sort()).toEqual(['PermissionRequest', 'PreToolUse', 'Stop', 'SubagentStop', 'UserPromptSubmit']);
	});

	it('knows all 33 hooks and returns safe defaults for unknown ones', () => {
		expect(new Set(HOOK_NAMES).size).toBe(33);
		for (const name of ['FutureNewEvent', 'constructor', '__proto__', '']) {
			expect(getInteractionHints(name)).toEqual({ expectsDecision: false, defaultTimeoutMs: 4000, canBlock: false });
		}
	});
});
