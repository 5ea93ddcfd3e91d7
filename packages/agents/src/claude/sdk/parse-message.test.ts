import { readSdkMessageSample } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../base/json-object.ts';
import { createMessageReader, type Heard } from './parse-message.ts';
import type { UsedBefore } from './usage-tracker.ts';

/** One line for each thing that was heard. */
function toLine(heard: Heard): string {
	switch (heard.type) {
		case 'report':
			return `${heard.hookName} ${toText(heard.payload)}`;
		case 'unknown':
			return `${heard.name} ${toText(heard.payload)}`;
		case 'begun':
			return `begun ${heard.model}`;
		case 'taken':
			return 'taken';
		case 'background':
			return `background ${heard.tasks.length}`;
		case 'result': {
			const { ran, failed, text } = heard.result;
			return `${ran ? (failed ? 'failed' : 'returned') : 'did not run'} ${JSON.stringify(text.slice(0, 60))}`;
		}
		case 'ended':
			return `ended ${JSON.stringify(heard.end)}`;
	}
}

function toText(payload: Record<string, unknown>): string {
	if ('delta' in payload) {
		const whose = typeof payload.agent_id === 'string' ? 'subagent ' : '';
		return `${whose}${payload.index} ${JSON.stringify(payload.delta)}${payload.final ? ' final' : ''}`;
	}
	if ('message' in payload) return String(payload.message);
	if (Array.isArray(payload.tool_calls)) return `of ${payload.tool_calls.length}${payload.agent_id ? ' of a subagent' : ''}`;
	const usage = isJsonObject(payload.by_model) ? payload.by_model['claude-opus-5-5'] : undefined;
	return isJsonObject(usage) ? `${usage.input_tokens}/${usage.output_tokens}` : '';
}

const read = (messages: readonly unknown[], usedBefore: UsedBefore = 'nothing') => {
	const reader = createMessageReader({ usedBefore });
	return messages.flatMap((message) => reader.read(message));
};

describe('what the SDK said in a real session', () => {
	it('is heard turn by turn: tools, a subagent, an interrupt, a command, a retry and an error', () => {
		expect(read(readSdkMessageSample()).map(toLine).join('\n')).toMatchSnapshot();
	});

	it('holds no message that nobody knows', () => {
		expect(read(readSdkMessageSample()).map(toLine).join('\n')).not.toContain('SdkMessage:');
	});

	it('says nothing of the whole before the first turn of a resumed session ends', () => {
		const lines = read(readSdkMessageSample(), 'own').map(toLine);
		expect(lines.findIndex((line) => line.startsWith('UsageReport'))).toBe(
			lines.findIndex((line) => line.startsWith('ended')) - 1,
		);
	});
});

describe('a message', () => {
	it('that nobody knows is kept whole', () => {
		const message = { type: 'system', subtype: 'brand_new', answer: 42 };
		expect(read([message])).toEqual([{ type: 'unknown', name: 'SdkMessage:system/brand_new', payload: message }]);
		expect(read(['words'])).toEqual([{ type: 'unknown', name: 'SdkMessage:not an object', payload: { value: 'words' } }]);
	});

	it('that was cut off in the middle is finished with what there is', () => {
		const event = (part: object) => ({ type: 'stream_event', parent_tool_use_id: null, event: part });
		const heard = read([
			event({ type: 'message_start', message: { id: 'm1', model: 'm', usage: {} } }),
			event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
			event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } }),
			{ type: 'result', subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
		]);
		expect(heard.map(toLine)).toEqual(['MessageDisplay 0 "half"', 'MessageDisplay 1 "" final', 'ended {"type":"interrupted"}']);
	});

	it.each([
		[{ status: 'allowed' }, []],
		[
			{ status: 'rejected', rateLimitType: 'five_hour', resetsAt: 0 },
			['Notification The usage limit (five hour) is reached until 1970-01-01T00:00:00.000Z.'],
		],
		[{ status: 'allowed_warning' }, ['Notification The usage limit is nearly reached.']],
	])('about limits is a sentence where it matters: %j', (rate_limit_info, lines) => {
		expect(read([{ type: 'rate_limit_event', rate_limit_info }]).map(toLine)).toEqual(lines);
	});
});
