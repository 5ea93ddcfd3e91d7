import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json-object.ts';
import { createToolResults, type ToolNews } from './tool-results.ts';

const SUBAGENT = { parent_tool_use_id: 'spawn', agent_id: 'a1', subagent_type: 'explorer' };
const calls = (id: string, ids: readonly string[], more: JsonObject = {}) => ({
	parent_tool_use_id: null,
	message: { id, content: ids.map((call) => ({ type: 'tool_use', id: call, name: 'Bash', input: { command: call } })) },
	...more,
});
const says = (id: string, more: JsonObject = {}) => ({
	parent_tool_use_id: null,
	message: { id, content: [{ type: 'text', text: 'well' }] },
	...more,
});
const returns = (ids: readonly string[], more: JsonObject = {}) => ({
	parent_tool_use_id: null,
	message: { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `out of ${id}` })) },
	...more,
});

/** `a` for a result, `[a b]` for a batch. */
const toLine = (news: readonly ToolNews[]) =>
	news.map((one) => (one.type === 'result' ? one.result.toolUseId : `[${idsOf(one.payload).join(' ')}]`)).join(' ');

function idsOf({ tool_calls }: JsonObject): string[] {
	return Array.isArray(tool_calls) ? tool_calls.map(({ tool_use_id }) => tool_use_id) : [];
}

describe('calls of one message', () => {
	it('form a batch when their agent continues, in any order of results', () => {
		const results = createToolResults();
		expect(toLine(results.called(calls('m1', ['a'])))).toBe('');
		expect(toLine(results.returned(returns(['a'])))).toBe('a');
		results.called(calls('m1', ['b', 'c']));
		expect(toLine(results.returned(returns(['c'])))).toBe('c');
		expect(toLine(results.returned(returns(['b'])))).toBe('b');
		expect(results.goesOn()).toEqual([
			{
				type: 'batch',
				payload: {
					tool_calls: ['a', 'b', 'c'].map((id) => ({
						tool_name: 'Bash',
						tool_input: { command: id },
						tool_use_id: id,
						tool_response: `out of ${id}`,
					})),
				},
			},
		]);
		expect(results.goesOn()).toEqual([]);
		results.called(calls('m2', ['d']));
		results.returned(returns(['d']));
		expect(toLine(results.called(says('m3')))).toBe('[d]');
	});

	it('form a batch of their subagent when it sends its next message or stops', () => {
		const results = createToolResults();
		results.called(calls('main', ['m']));
		results.called(calls('s1', ['a'], SUBAGENT));
		expect(toLine(results.returned(returns(['a'], SUBAGENT)))).toBe('a');
		const [batch] = results.called(says('s2', SUBAGENT));
		expect(batch).toMatchObject({ type: 'batch', payload: { agent_id: 'a1', agent_type: 'explorer' } });
		results.called(calls('s3', ['b'], SUBAGENT));
		results.returned(returns(['b'], SUBAGENT));
		expect(toLine(results.stopped('another'))).toBe('');
		expect(toLine(results.stopped('a1'))).toBe('[b]');
		expect(toLine(results.stopped('a1'))).toBe('');
		expect(toLine([...results.returned(returns(['m'])), ...results.goesOn()])).toBe('m [m]');
	});

	it('form a batch only once even if compaction repeats them', () => {
		const results = createToolResults();
		const again = () => [results.called(calls('m', ['a'])), results.returned(returns(['a'])), results.goesOn()].flat();
		expect(toLine(again())).toBe('a [a]');
		expect(toLine(again())).toBe('a');
	});

	it.each([
		[{ interrupted: true }, ''],
		[{ interrupted: false }, '[a b]'],
	])('when the turn ends with %j, form the batch "%s"', (how, batch) => {
		const results = createToolResults();
		results.called(calls('m', ['a', 'b']));
		results.returned(returns(['a', 'b']));
		expect(toLine(results.ended(how))).toBe(batch);
		expect(toLine(results.called(says('next')))).toBe('');
	});
});

describe('call result', () => {
	const resultOf = (message: JsonObject) => createToolResults().returned(message)[0];

	it('is the structured tool result if it is unambiguous, otherwise the text sent to the model', () => {
		expect(resultOf(returns(['a'], { tool_use_result: { stdout: 'x' } }))).toMatchObject({
			result: { ran: true, failed: false, text: 'out of a', response: { stdout: 'x' } },
		});
		expect(resultOf(returns(['a'], SUBAGENT))).toMatchObject({ result: { response: 'out of a' } });
		// With two results it is unclear which one the extra field belongs to.
		expect(resultOf(returns(['a', 'b'], { tool_use_result: { stdout: 'x' } }))).toMatchObject({
			result: { response: 'out of a' },
		});
	});

	it('distinguishes a failed call from one that never ran', () => {
		const error = { type: 'tool_result', tool_use_id: 'a', is_error: true, content: [{ type: 'text', text: 'no' }] };
		const message = { message: { content: [error] } };
		expect(resultOf(message)).toMatchObject({ result: { ran: true, failed: true, text: 'no' } });
		expect(
			resultOf({ ...message, tool_result_meta: [{ id: 'a', non_execution_kind: 'user-rejected' }, { id: 'b' }] }),
		).toMatchObject({ result: { ran: false } });
		expect(resultOf({ ...message, tool_use_result: 'User rejected tool use' })).toMatchObject({ result: { ran: false } });
	});

	it.each([[{}], [{ message: 'words' }], [{ message: { content: 'words' } }], [{ message: { content: [null, 5, {}] } }]])(
		'is absent for %j',
		(message) => {
			const results = createToolResults();
			expect([...results.called(message), ...results.returned(message), ...results.goesOn()]).toEqual([]);
		},
	);
});
