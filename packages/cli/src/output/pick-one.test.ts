import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { pickOne } from './parse-input.ts';

const THINGS = [
	{ id: 'a1b2', name: 'app' },
	{ id: 'a1c3', name: 'app' },
	{ id: 'ffff', name: 'apple' },
];
const pick = (given: string) => pickOne(THINGS, given, ({ id, name }) => [id, name], 'project');

describe('picking by a word', () => {
	it('takes a whole id or name, or the beginning of it that is enough', () => {
		expect(unwrap(pick('a1b2'))).toBe(THINGS[0]);
		expect(unwrap(pick('a1c'))).toBe(THINGS[1]);
		expect(unwrap(pick('apple'))).toBe(THINGS[2]);
		expect(unwrap(pick('appl'))).toBe(THINGS[2]);
	});

	it('says what it could mean, and takes a whole name before the beginning of another', () => {
		expect(unwrapError(pick('app'))).toMatchObject({ code: 'usage', message: expect.stringContaining('a1b2, a1c3.') });
		expect(unwrapError(pick('a1'))).toMatchObject({ code: 'usage' });
	});

	it('says that there is none', () => {
		expect(unwrapError(pick('zz'))).toMatchObject({ code: 'not_found', message: 'No project "zz" found.' });
	});
});
