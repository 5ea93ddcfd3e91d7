import { askRow } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { recentlyShown, type Shown } from './recently-shown.ts';

const ASK = askRow.parse({
	...{ id: 's1.1', sessionId: 's1', kind: 'permission', tool: 'Bash', input: { command: 'ls' }, state: 'pending', risk: 'low' },
	...{
		actorId: 'agent:root',
		eventId: 's1:R1:E1',
		reason: 'no rule matched',
		openedAt: 5,
		expiresAt: 9,
		nonce: 'n',
		inputHash: 'h',
	},
});
const DENIED = { ...ASK, state: 'denied' as const, decidedBy: 'lea@cli' };
const NONE = new Map();

describe('requests that the inbox shows', () => {
	it('are pending ones, oldest first, with the time when each appeared', () => {
		const shown: Shown = new Map();
		const later = { ...ASK, id: `${ASK.id}2` as typeof ASK.id, openedAt: 7 };
		recentlyShown(shown, { asks: [later], decided: NONE, now: 100 });
		const cards = recentlyShown(shown, { asks: [later, ASK], decided: NONE, now: 200 });
		expect(cards.map(({ ask, since }) => [ask.id, since])).toEqual([
			[ASK.id, 200],
			[later.id, 100],
		]);
	});

	it('stay for three seconds with their decision', () => {
		const shown: Shown = new Map();
		const decided = new Map([[ASK.id, DENIED]]);
		recentlyShown(shown, { asks: [ASK], decided: NONE, now: 0 });
		expect(recentlyShown(shown, { asks: [], decided, now: 1_000 })).toEqual([{ ask: DENIED, since: 0 }]);
		expect(recentlyShown(shown, { asks: [], decided, now: 3_999 })).toHaveLength(1);
		expect(recentlyShown(shown, { asks: [], decided, now: 4_000 })).toEqual([]);
	});

	it('are not those that were decided before the page was open', () => {
		expect(recentlyShown(new Map(), { asks: [], decided: new Map([[ASK.id, DENIED]]), now: 0 })).toEqual([]);
	});

	it('disappear at once if the runner does not know them any more', () => {
		const shown: Shown = new Map();
		recentlyShown(shown, { asks: [ASK], decided: NONE, now: 0 });
		expect(recentlyShown(shown, { asks: [], decided: NONE, now: 1 })).toEqual([]);
	});
});
