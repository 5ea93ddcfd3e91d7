import { describe, expect, it } from 'vitest';
import { wordedFields } from './worded-fields.ts';

const lines = (fields: object) => wordedFields(fields).map(({ name, text }) => `${name}: ${text}`);

describe('fields in words', () => {
	it('have names as words, and nested fields beside the others', () => {
		expect(lines({ old_cwd: '/a', numLines: 2, counters: { tool_uses: 3 }, done: true, left: false })).toEqual([
			'old cwd: /a',
			'num lines: 2',
			'tool uses: 3',
			'done: yes',
			'left: no',
		]);
	});

	it('leave out what is not set, and keep names that are sentences', () => {
		expect(lines({ a: undefined, b: null, c: '', answers: { 'Which colour?': 'Blue' } })).toEqual(['Which colour?: Blue']);
	});

	it('list items one per line, with their fields below them', () => {
		const steps = [{ step: 'look', status: 'done' }, { step: 'write' }];
		expect(lines({ names: ['a', 'b'], none: [], steps })).toEqual([
			'names: a\nb',
			'none: none',
			'steps: step: look\n  status: done\nstep: write',
		]);
	});

	it('show a question with its options', () => {
		const options = [{ label: 'Red', description: 'the red one' }, { label: 'Blue' }];
		expect(lines({ questions: [{ question: 'Which?', header: 'x', multiSelect: true, options }] })).toEqual([
			'questions: Which?\n  several may be chosen\n  Red: the red one\n  Blue',
		]);
	});

	it('stay JSON where they are a schema or nested too deep', () => {
		expect(lines({ requested_schema: { type: 'object' } })).toEqual(['requested schema: {\n  "type": "object"\n}']);
		expect(lines({ a: { b: { c: { d: { e: 1 } } } } })).toEqual(['d: {\n  "e": 1\n}']);
	});
});
