// Hostile values in the protocol of every driven agent: no parser throws.
import { createHostileValues, hostilePayloads } from '@roost/testkit/corpora/hostile-values';
import { expect, it } from 'vitest';
import { toNormalCall as toAcpCall, toFailure, toResponse } from '../acp/acp-calls.ts';
import { permissionRequest, toolCall } from '../acp/acp-messages.ts';
import { parseMessage } from '../acp/acp-session.ts';
import { isJsonObject } from '../base/json-object.ts';
import { createMessageReader } from '../claude/sdk/parse-message.ts';
import { toNormalCalls as toCodexCalls, unwrapShell } from '../codex/tool-calls.ts';
import { parseHookCall, toNormalTool } from '../copilot/tool-calls.ts';
import { parseRecord } from '../pi/records.ts';
import { toNormalCall as toPiCall } from '../pi/tools.ts';

const BYTES = process.env.ROOST_SOAK === '1' ? 2.5 * 1024 * 1024 : 32 * 1024;

/** One line of each protocol, with the value in every possible place. */
const READERS: Record<string, (value: unknown) => unknown> = {
	claude(value) {
		const reader = createMessageReader({ usedBefore: 'nothing' });
		const block = { type: 'tool_use', id: 't', name: 'Bash', input: { command: value } };
		return ['assistant', 'user', 'stream_event', 'system', 'result', value].map((type) =>
			reader.read({
				type,
				subtype: value,
				message: { id: 'm', content: [block, { type: 'text', text: value }] },
				event: value,
				result: value,
			}),
		);
	},
	codex(value) {
		const command = typeof value === 'string' ? value : JSON.stringify(value);
		return ['Bash', 'apply_patch', 'mcp__a__b', command]
			.map((name): unknown => toCodexCalls({ id: 't', name, input: { command: value }, cwd: '/p' }))
			.concat(unwrapShell(command));
	},
	copilot: (value) => [
		toNormalTool('bash', { command: value, path: value, content: value }),
		...hostilePayloads('PreToolUse', 's', value).map((payload) => parseHookCall(JSON.stringify(payload))),
	],
	pi: (value) => [
		toPiCall({ name: 'bash', input: { command: value } }, { cwd: '/p' }),
		toPiCall({ name: 'edit', input: isJsonObject(value) ? value : { path: value, edits: value } }, { cwd: '/p' }),
		parseRecord(JSON.stringify({ type: 'tool_execution_start', toolCallId: 't', toolName: 'bash', args: value })),
		parseRecord(JSON.stringify(value)),
	],
	acp(value) {
		const news = toolCall.safeParse({
			toolCallId: 't',
			title: value,
			kind: 'execute',
			rawInput: value,
			rawOutput: value,
			content: value,
		});
		const call = {
			...news.data,
			toolCallId: 't',
			title: 'x',
			kind: 'execute',
			rawInput: isJsonObject(value) ? value : { command: value },
		};
		return [
			parseMessage(JSON.stringify({ jsonrpc: '2.0', method: 'any', params: value })),
			parseMessage(JSON.stringify(value)),
			permissionRequest.safeParse({ toolCall: call, options: value }),
			[toAcpCall(call), toResponse(call), toFailure(call)],
		];
	},
};

it.each(Object.entries(READERS))('%s: the adapter does not throw on hostile values', { timeout: 600_000 }, (_, read) => {
	for (const { name, value } of createHostileValues(BYTES)) expect(() => read(value), name).not.toThrow();
});

it('rejects deeply nested lines in the ACP and Pi protocols', () => {
	const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
	expect(parseMessage(deep)).toBeNull();
	expect(parseRecord(deep)).toMatchObject({ type: 'garbage' });
});
