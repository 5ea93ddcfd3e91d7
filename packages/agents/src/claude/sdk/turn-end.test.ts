import { describe, expect, it } from 'vitest';
import { parseTurnEnd } from './parse-message.ts';
import { toExitReason } from './spawn-claude.ts';

describe('end of a turn', () => {
	it.each([
		[
			{ subtype: 'success', terminal_reason: 'completed', result: 'done' },
			{ type: 'completed', text: 'done' },
		],
		[{ subtype: 'error_max_turns', is_error: true, terminal_reason: 'aborted_tools' }, { type: 'interrupted' }],
		[
			{ subtype: 'success', is_error: true, terminal_reason: 'api_error', result: 'API Error: 400' },
			{ type: 'failed', error: 'api_error', why: 'API Error: 400' },
		],
		[
			{ subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum number of turns (3)'] },
			{ type: 'failed', error: 'max_turns', why: 'Reached the limit of 3 turns per prompt. Send another prompt to continue.' },
		],
		[
			{ subtype: 'error_during_execution', is_error: true },
			{ type: 'failed', error: 'error_during_execution', why: 'Claude gave up (error_during_execution).' },
		],
		['nonsense', { type: 'failed', error: 'unknown', why: expect.any(String) }],
	])('maps %j to %j', (result, end) => {
		expect(parseTurnEnd(result)).toEqual(end);
	});
});

describe('end of the process', () => {
	it.each([
		[new Error('Claude Code returned an error result: No conversation found'), 'noise', 'Claude ended: No conversation found.'],
		[new Error('exited with code 1'), 'first\nnot as root\n', 'Claude ended: not as root. (exited with code 1)'],
		[new Error('terminated by signal SIGKILL'), '', 'Claude ended: terminated by signal SIGKILL.'],
		[undefined, '', 'Claude ended by itself.'],
	])('explains %s in a readable message', (error, complaint, sentence) => {
		expect(toExitReason(error, complaint)).toBe(sentence);
	});
});
