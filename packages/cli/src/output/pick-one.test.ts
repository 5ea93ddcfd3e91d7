import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { pickOne } from './parse-input.ts';

const THINGS = [
	{ id: 'a1b2', name: 'app' },
	{ id: 'a1c3', name: 'app' },
	{ id: 'ffff', name: 'apple' },
];
const pick = (given: string) => pickOne(THINGS, given, ({ id, name }) => [id, name], 'project');

describe('pickOne', () => {
	it('accepts a full id or name, or an unambiguous prefix', () => {
		expect(unwrap(pick('a1b2'))).toBe(THINGS[0]);
		expect(unwrap(pick('a1c'))).toBe(THINGS[1]);
		expect(unwrap(pick('apple'))).toBe(THINGS[2]);
		expect(unwrap(pick('appl'))).toBe(THINGS[2]);
	});

	it('lists the candidates of an ambiguous word, and prefers full names to prefixes', () => {
		expect(unwrapError(pick('app'))).toMatchObject({ code: 'usage', message: expect.stringContaining('a1b2, a1c3.') });
		expect(unwrapError(pick('a1'))).toMatchObject({ code: 'usage' });
	});

	it('reports when nothing matches', () => {
		expect(unwrapError(pick('zz'))).toMatchObject({ code: 'not_found', message: 'No project "zz" found.' });
	});
});
