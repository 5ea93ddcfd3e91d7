// Recorded ACP messages of six real agents map to the same normal form.
import { createAcpReplay } from '@roost/testkit/rigs/agents/acp-replay';
import { type AcpSample, readAcpSamples } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';

/** Allows every call once; returns one line per event. */
async function play(samples: readonly AcpSample[]): Promise<string[]> {
	const { runtime, play } = createAcpReplay();
	const lines: string[] = [];
	runtime.onEvent((event) => {
		if (event.hookName === 'MessageDisplay') return;
		const { tool_name, tool_input } = Object(event.payload);
		lines.push(`${event.hookName} ${tool_name} ${JSON.stringify(tool_input)}`);
		const isAsk = event.hookName === 'PermissionRequest';
		if (isAsk) runtime.sendDecision(event.id, { verdict: { type: 'allow' }, source: 'user' });
		else if (event.interaction.expectsDecision) runtime.sendDecision(event.id, { verdict: { type: 'none' }, source: 'rule' });
	});
	runtime.start();
	const chosen = await play(samples);
	return [...lines, ...chosen.map((kind) => `chosen ${kind}`)];
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
