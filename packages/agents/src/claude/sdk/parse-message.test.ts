import { readSdkMessageSample } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../base/json-object.ts';
import { createMessageReader, type ParsedMessage } from './parse-message.ts';
import type { UsedBefore } from './usage-tracker.ts';

/** One line per parsed message. */
function toLine(received: ParsedMessage): string {
	switch (received.type) {
		case 'report':
			return `${received.hookName} ${toText(received.payload)}`;
		case 'unknown':
			return `${received.name} ${toText(received.payload)}`;
		case 'begun':
			return `begun ${received.model}`;
		case 'taken':
			return 'taken';
		case 'background':
			return `background ${received.tasks.length}`;
		case 'result': {
			const { ran, failed, text } = received.result;
			return `${ran ? (failed ? 'failed' : 'returned') : 'did not run'} ${JSON.stringify(text.slice(0, 60))}`;
		}
		case 'ended':
			return `ended ${JSON.stringify(received.end)}`;
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

describe('recorded SDK session', () => {
	it('is parsed with tools, a subagent, an interrupt, a command, a retry and an error', () => {
		expect(read(readSdkMessageSample()).map(toLine).join('\n')).toMatchSnapshot();
	});

	it('contains no unknown messages', () => {
		expect(read(readSdkMessageSample()).map(toLine).join('\n')).not.toContain('SdkMessage:');
	});

	it('reports no usage before the first turn of a resumed session ends', () => {
		const lines = read(readSdkMessageSample(), 'own').map(toLine);
		expect(lines.findIndex((line) => line.startsWith('UsageReport'))).toBe(
			lines.findIndex((line) => line.startsWith('ended')) - 1,
		);
	});
});

describe('SDK message', () => {
	it('is kept unchanged if it is unknown', () => {
		const message = { type: 'system', subtype: 'brand_new', answer: 42 };
		expect(read([message])).toEqual([{ type: 'unknown', name: 'SdkMessage:system/brand_new', payload: message }]);
		expect(read(['words'])).toEqual([{ type: 'unknown', name: 'SdkMessage:not an object', payload: { value: 'words' } }]);
	});

	it('is completed with the partial text if it was cut off', () => {
		const event = (part: object) => ({ type: 'stream_event', parent_tool_use_id: null, event: part });
		const received = read([
			event({ type: 'message_start', message: { id: 'm1', model: 'm', usage: {} } }),
			event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
			event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } }),
			{ type: 'result', subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' },
		]);
		expect(received.map(toLine)).toEqual([
			'MessageDisplay 0 "half"',
			'MessageDisplay 1 "" final',
			'ended {"type":"interrupted"}',
		]);
	});

	it.each([
		[{ status: 'allowed' }, []],
		[
			{ status: 'rejected', rateLimitType: 'five_hour', resetsAt: 0 },
			['Notification The usage limit (five hour) is reached until 1970-01-01T00:00:00.000Z.'],
		],
		[{ status: 'allowed_warning' }, ['Notification The usage limit is nearly reached.']],
	])('is reported as a notification if a usage limit is reached or near: %j', (rate_limit_info, lines) => {
		expect(read([{ type: 'rate_limit_event', rate_limit_info }]).map(toLine)).toEqual(lines);
	});
});
