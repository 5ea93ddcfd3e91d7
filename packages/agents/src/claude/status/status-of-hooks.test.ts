import type { RuntimeEvent } from '@roost/core/runtime/event';
import { readReport } from '@roost/core/runtime/normal-form/read-report';
import { readHookSamples } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import type { StatusEvidence } from '../../base/status-source.ts';
import { foldHookStatus } from './claude-status.ts';

describe('hooks', () => {
	it('tell of a turn with a permission and a question from its start to its end', () => {
		const said = follow(
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
		expect(said).toEqual([
			...['idle', 'busy', 'busy', 'waiting: permission prompt', 'busy', 'waiting: input needed', 'busy', 'idle'],
			'nothing',
		]);
	});

	it('that say nothing about it leave what was, with its time', () => {
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

	it('that end a turn whose tasks go on in the background tell of work', () => {
		expect(follow(hook('Stop', { background_tasks: [{ id: 't' }] }), hook('Stop', { background_tasks: [] }))).toEqual([
			'busy',
			'idle',
		]);
	});

	it('that notify tell what is waited for', () => {
		expect(follow(hook('Notification', { notification_type: 'permission_prompt' }))).toEqual(['waiting: permission prompt']);
		expect(follow(hook('Notification', { notification_type: 'agent_needs_input' }))).toEqual(['waiting: input needed']);
		expect(follow(hook('Notification', { notification_type: 'idle_prompt' }))).toEqual(['idle']);
	});

	it('of every recorded kind are taken without complaint', () => {
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
