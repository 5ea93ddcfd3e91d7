import { describe, expect, it } from 'vitest';
import { foundWords } from './found-words.ts';

describe('result of a search', () => {
	it('says if events were not searched yet', () => {
		expect(foundWords({ hits: [], unsearched: 0 })).toBe('Nothing was found.');
		expect(foundWords({ hits: [], unsearched: 12 })).toBe(
			'Nothing was found. 12 new events not searched yet; retry in a moment.',
		);
	});
});
