// Recorded ACP messages of six real agents map to the same normal form.
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { type AcpSample, readAcpSamples } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { createEventReporter } from '../live/event-reporter.ts';
import { createLiveGate } from '../live/gate.ts';
import { createMessageStream, createOpenCalls } from '../live/turns.ts';
import { createAcpCalls, createAcpUpdates } from './acp-calls.ts';
import { answerPermission, permissionRequest, update } from './acp-messages.ts';
import { createAcpAgent } from './open-acp-agent.ts';

/** Allows every call once; returns one line per event. */
async function play(samples: readonly AcpSample[]): Promise<string[]> {
	const timers = createManualTimers();
	let id = 0;
	const newId = () => `id-${id++}`;
	const { capabilities } = createAcpAgent({ agent: 'acp:x', title: 'X', argv: () => ['x'], env: () => ({}) });
	const request = { cwd: '/project', gate: 'enforce' } as const;
	const reporter = createEventReporter({ capabilities, request, nativeId: 'n', timers, now: timers.now, newId });
	const open = createOpenCalls();
	const gate = createLiveGate({ reporter, calls: open, cwd: '/project', allowedTools: undefined, interrupt: () => {} });
	const calls = createAcpCalls({ reporter, calls: open, gate, signal: () => undefined });
	const updates = createAcpUpdates({ reporter, messages: createMessageStream(reporter), calls, newId });
	const lines: string[] = [];
	reporter.runtime.onEvent((event) => {
		if (event.hookName === 'MessageDisplay') return;
		const { tool_name, tool_input } = Object(event.payload);
		lines.push(`${event.hookName} ${tool_name} ${JSON.stringify(tool_input)}`);
		const isAsk = event.hookName === 'PermissionRequest';
		if (isAsk) reporter.runtime.sendDecision(event.id, { verdict: { type: 'allow' }, source: 'user' });
		else if (event.interaction.expectsDecision)
			reporter.runtime.sendDecision(event.id, { verdict: { type: 'none' }, source: 'rule' });
	});
	reporter.runtime.start();
	for (const { method, params } of samples) {
		if (method === 'session/update') updates.take(update.parse(params).update);
		else if (method === 'session/request_permission') {
			const asked = permissionRequest.parse(params);
			const verdict = await calls.permit(asked.toolCall, new AbortController().signal);
			const chosen = JSON.stringify(answerPermission(verdict, asked.options).answer);
			const option = asked.options.find(({ optionId }) => chosen.includes(`"${optionId}"`));
			lines.push(`chosen ${option?.kind}`);
		}
	}
	return lines;
}

describe('recorded ACP sessions', () => {
	const samples = readAcpSamples();

	it('cover six agents', () => {
		expect(samples.size).toBe(6);
	});

	it.each([...samples.keys()])(
		'%s: requests permission for commands, gets one-time approval and completes them',
		async (name) => {
			const lines = await play(samples.get(name) ?? []);
			expect(lines.filter((line) => line.startsWith('acp:'))).toEqual([]);
			expect(lines.filter((line) => line.startsWith('chosen')).every((line) => line === 'chosen allow_once')).toBe(true);
			expect(lines.some((line) => /^PreToolUse Bash \{.*"command":"(touch acp1|id -u|echo)/.test(line))).toBe(true);
			expect(lines.some((line) => line.startsWith('PostToolUse Bash'))).toBe(true);
		},
	);
});
