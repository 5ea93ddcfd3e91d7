import { expect, it } from 'vitest';
import { checkNode } from './check-machine.ts';

it('reports a Node that is too old, with the fix', () => {
	expect(checkNode('24.0.0')).toMatchObject([{ state: 'ok' }]);
	expect(checkNode('22.11.0')).toMatchObject([
		{ state: 'fail', says: '22.11.0 is too old', remedy: expect.stringContaining('24') },
	]);
	expect(checkNode('not a version')).toMatchObject([{ state: 'fail' }]);
});
