import { describe, expect, it } from 'vitest';
import { resultContent } from './result-content.ts';

describe('content of a result', () => {
	it.each([
		['output of both kinds', { stdout: 'out', stderr: 'err' }, 'out\nerr'],
		['no output', { stdout: '', stderr: '' }, ''],
		['a file', { type: 'text', file: { filePath: '/a', content: 'x\n', numLines: 1 } }, 'x\n'],
		['names of files', { filenames: ['/a', '/b'], numFiles: 2 }, '/a\n/b'],
		['blocks of text', { content: [{ type: 'text', text: 'done' }] }, 'done'],
		['words', 'done', 'done'],
		['nothing', null, ''],
		['a list of other things', [{ type: 'image' }], '[{"type":"image"}]'],
	])('is the text of %s', (_, response, text) => {
		expect(resultContent({ tool: 'Any', input: {}, response })).toEqual({ type: 'text', text });
	});

	it('is the answers of a question, and the fields of other objects', () => {
		const answers = { 'Which colour?': 'Blue' };
		const asked = { tool: 'AskUserQuestion', input: {}, response: { questions: [], answers } };
		expect(resultContent(asked)).toEqual({ type: 'fields', fields: answers });
		const response = { task: { id: '1' } };
		expect(resultContent({ tool: 'TaskCreate', input: {}, response })).toEqual({ type: 'fields', fields: response });
	});

	it('is nothing for an edit, which its call shows', () => {
		const input = { file_path: '/a', old_string: 'x', new_string: 'y' };
		expect(resultContent({ tool: 'Edit', input, response: { originalFile: 'x', structuredPatch: [] } })).toEqual({
			type: 'nothing',
		});
		expect(resultContent({ tool: 'Edit', input, response: 'Replaced 1 block' })).toMatchObject({ type: 'text' });
	});
});
