import { runnerId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { foundOnHubWords, foundWords } from './found-words.ts';

describe('result of a search', () => {
	it('says if events were not searched yet', () => {
		expect(foundWords({ hits: [], unsearched: 0 })).toBe('Nothing was found.');
		expect(foundWords({ hits: [], unsearched: 12 })).toBe(
			'Nothing was found. 12 new events not searched yet; retry in a moment.',
		);
	});

	it('names the runners that are not indexed yet', () => {
		const [laptop, tower] = [runnerId.parse('r1'), runnerId.parse('r2')];
		expect(foundOnHubWords({ hits: [], behind: [] })).toBe('Nothing was found.');
		const behind = [
			{ id: laptop, name: 'laptop', events: 1_234 },
			{ id: tower, name: 'tower', events: 1 },
		];
		expect(foundOnHubWords({ hits: [], behind })).toBe(
			'Nothing was found. Not yet indexed: laptop (1,234 events), tower (1 event).',
		);
	});
});
