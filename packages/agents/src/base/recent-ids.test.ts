import { describe, expect, it } from 'vitest';
import { createRecentIds } from './recent-ids.ts';

describe('createRecentIds', () => {
	it('remembers the most recent ids and forgets older ones', () => {
		const ids = createRecentIds(10);
		for (let index = 0; index < 1000; index++) {
			ids.add(`id-${index}`);
			for (let back = 0; back < 10; back++) expect(ids.has(`id-${index - back}`)).toBe(index - back >= 0);
			expect(ids.has(`id-${index - 20}`)).toBe(false);
		}
	});
});
