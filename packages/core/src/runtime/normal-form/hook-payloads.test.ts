import { readHookSamples } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { hookPayloads } from './hook-payloads.ts';
import { parseQuestions } from './questions.ts';

const schemas = new Map(Object.entries(hookPayloads));

describe('normal form', () => {
	it('has 36 hooks', () => {
		expect(schemas.size).toBe(36);
	});

	it('accepts all recorded samples and keeps every field', () => {
		for (const { event, variant, payload } of readHookSamples()) {
			const parsed = schemas.get(event)?.safeParse(payload);
			expect(parsed?.error, `${event} ${variant}`).toBeUndefined();
			expect(parsed?.data).toEqual(payload);
		}
	});

	it('accepts new fields, and null for missing values', () => {
		const payload = { tool_name: 'Bash', tool_input: {}, tool_use_id: null, agent_id: null, mcp_server: { name: 'x' } };
		expect(hookPayloads.PreToolUse.parse(payload)).toEqual(payload);
		expect(hookPayloads.ConfigChange.safeParse({ source: 'a_new_source' }).success).toBe(true);
	});

	it.each([
		['PreToolUse', { tool_name: 'Bash' }],
		['PreToolUse', { tool_name: 'Bash', tool_input: 'ls' }],
		['PostToolBatch', { tool_calls: {} }],
		['SessionStart', { source: 'teleport' }],
		['Stop', { stop_hook_active: 'yes' }],
		['RuntimeStatus', { status: 'sleepy' }],
	])('rejects %s with %j', (hook, payload) => {
		expect(schemas.get(hook)?.safeParse(payload).success).toBe(false);
	});
});

describe('questions', () => {
	it('are parsed from the call that asks them', () => {
		const call = readHookSamples().find(({ event, variant }) => event === 'PermissionRequest' && variant === 'AskUserQuestion');
		const questions = parseQuestions(hookPayloads.PermissionRequest.parse(call?.payload).tool_input);
		expect(questions).toMatchObject([
			{ question: 'Which colour?', header: 'Colour', multi_select: false, options: [{ label: 'Red' }, { label: 'Blue' }] },
			{ question: 'Which extras?', multi_select: true, options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] },
		]);
	});

	it('are null if the input contains none', () => {
		expect(parseQuestions({})).toBeNull();
		expect(parseQuestions({ questions: [] })).toBeNull();
	});
});
