import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import { readHookSamples } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import type { StatusEvidence } from '../../base/status-source.ts';
import { foldHookStatus } from './claude-status.ts';

describe('status from hooks', () => {
	it('follows a turn with a permission request and a question', () => {
		const lines = follow(
			hook('SessionStart', { source: 'startup' }),
			hook('UserPromptSubmit'),
			hook('PreToolUse'),
			hook('PermissionRequest', {}, 'Bash'),
			hook('PostToolUse'),
			hook('PermissionRequest', {}, 'AskUserQuestion'),
			hook('PostToolUse'),
			hook('Stop'),
			hook('SessionEnd'),
		);
		expect(lines).toEqual([
			...['idle', 'busy', 'busy', 'waiting: permission prompt', 'busy', 'waiting: input needed', 'busy', 'idle'],
			'nothing',
		]);
	});

	it('stays unchanged for hooks that do not affect it', () => {
		const before: StatusEvidence = { status: 'busy', at: 3 };
		for (const quiet of [
			hook('SessionStart', { source: 'compact' }),
			hook('Notification', { notification_type: 'elicitation_response' }),
			hook('Notification', 'nonsense'),
			hook('SubagentStop'),
			{ ...hook('Stop'), agentId: 'a1' },
			hook('BrandNewHook'),
			hook('constructor'),
		])
			expect(foldHookStatus(before, quiet)).toBe(before);
	});

	it('stays busy if a turn ends with running background tasks', () => {
		expect(follow(hook('Stop', { background_tasks: [{ id: 't' }] }), hook('Stop', { background_tasks: [] }))).toEqual([
			'busy',
			'idle',
		]);
	});

	it('follows notifications about prompts', () => {
		expect(follow(hook('Notification', { notification_type: 'permission_prompt' }))).toEqual(['waiting: permission prompt']);
		expect(follow(hook('Notification', { notification_type: 'agent_needs_input' }))).toEqual(['waiting: input needed']);
		expect(follow(hook('Notification', { notification_type: 'idle_prompt' }))).toEqual(['idle']);
	});

	it('accepts every recorded hook without throwing', () => {
		for (const { event, payload } of readHookSamples()) expect(() => foldHookStatus(null, hook(event, payload))).not.toThrow();
	});
});

function follow(...events: readonly RuntimeEvent[]): string[] {
	let evidence: StatusEvidence | null = null;
	return events.map((event) => {
		evidence = foldHookStatus(evidence, event);
		if (!evidence) return 'nothing';
		return evidence.waitingFor === undefined ? evidence.status : `${evidence.status}: ${evidence.waitingFor}`;
	});
}

function hook(hookName: string, payload: unknown = {}, toolName?: string): RuntimeEvent {
	return {
		...{ id: 'e', timestamp: 7, sessionId: 's', ...readReport(hookName, payload) },
		...(toolName === undefined ? {} : { toolName }),
		context: { cwd: '/', transcriptPath: '' },
		interaction: { expectsDecision: false },
	};
}
