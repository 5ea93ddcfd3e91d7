// Only Claude's own message about a finished task is recognised as one.
import { describe, expect, it } from 'vitest';
import { mapEnvelopeToRuntimeEvent, readTaskNotification } from './decision-mapper.ts';

/** As reported by the real claude. */
const REAL = [
	'<task-notification>',
	'<task-id>bbk9w00kf</task-id>',
	'<tool-use-id>toolu_01</tool-use-id>',
	'<output-file>/home/dev/tasks/bbk9w00kf.output</output-file>',
	'<status>completed</status>',
	'<summary>Background command "sleep 2; echo hi" completed (exit code 0)</summary>',
	'</task-notification>',
].join('\n');

describe('task notification', () => {
	it('is parsed from the text with the id of the call that started the task', () => {
		const sent = readTaskNotification(REAL);
		expect(sent?.message.split('\n')[0]).toBe('Background command "sleep 2; echo hi" completed (exit code 0)');
		expect(sent?.message).toContain('/home/dev/tasks/bbk9w00kf.output');
		expect(sent?.tool_use_id).toBe('toolu_01');
	});

	it('is not detected in other or malformed text', () => {
		for (const prompt of [
			'fix it',
			`What does this mean?\n${REAL}`,
			`${REAL}\nWhat does this mean?`,
			'<task-notification></task-notification>',
			'<task-notification>\n<task-id>b1</task-id>\n<summary></summary>\n</task-notification>',
			'<task-notification>\n<summary>done</summary>\n</task-notification>',
		]) {
			expect(readTaskNotification(prompt)).toBeNull();
		}
	});

	it('is added to UserPromptSubmit events only', () => {
		expect(reported('UserPromptSubmit', REAL)).toMatchObject({ prompt: REAL, task_notification: { tool_use_id: 'toolu_01' } });
		expect(reported('UserPromptSubmit', 'fix it')).toEqual({ prompt: 'fix it' });
		expect(reported('UserPromptExpansion', REAL)).toEqual({ prompt: REAL });
	});
});

function reported(hook: string, prompt: string): unknown {
	const envelope = { request_id: 'r1', ts: 1, session_id: 'n1', hook_event_name: hook, payload: { prompt } };
	return mapEnvelopeToRuntimeEvent(envelope).payload;
}
