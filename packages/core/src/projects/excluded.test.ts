import { describe, expect, it } from 'vitest';
import { createExclusion } from './excluded.ts';

describe('folder exclusion', () => {
	it.each([
		[['node_modules', '.git'], 'node_modules', true],
		[['node_modules', '.git'], 'node_modules2', false],
		[['.git'], '.git', true],
		[['old-*'], 'old-site', true],
		[['old-*'], 'very-old-site', false],
		[['*'], '.hidden', true],
		[['{a,b}'], 'b', true],
		[['!keep'], 'keep', false],
		[['!keep'], 'other', false],
		[[], 'anything', false],
	])('by %j matches %j: %s', (patterns, name, expected) => {
		expect(createExclusion(patterns)({ name, path: `/home/dev/${name}` })).toBe(expected);
	});

	it('matches a pattern with a slash against the whole path', () => {
		const isExcluded = createExclusion(['**/archive/*', '/opt/vendor']);
		expect(isExcluded({ name: 'x', path: '/home/dev/archive/x' })).toBe(true);
		expect(isExcluded({ name: 'vendor', path: '/opt/vendor' })).toBe(true);
		expect(isExcluded({ name: 'vendor', path: '/srv/vendor' })).toBe(false);
	});

	it('skips a pattern that is too long', () => {
		expect(createExclusion(['a'.repeat(70_000), 'b'])({ name: 'b', path: '/b' })).toBe(true);
	});
});
