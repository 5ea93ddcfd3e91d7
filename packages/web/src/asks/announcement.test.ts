import { askRow } from '@roost/protocol/ask';
import { askId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { NOTHING_ANNOUNCED, nextAnnouncement } from './announcement.ts';

const ASK = askRow.parse({
	...{ id: 's1.1', sessionId: 's1', kind: 'permission', tool: 'Bash', input: { command: 'ls \u202e' }, state: 'pending' },
	...{ risk: 'high', actorId: 'agent:root', eventId: 's1:R1:E1', reason: 'no rule matched', openedAt: 5, expiresAt: 9 },
	...{ nonce: 'n', inputHash: 'h' },
});
const other = (at: number) => ({ ...ASK, id: askId.parse(`s1.${at}`) });

describe('announcement of requests', () => {
	it('names a new request with its risk, as text that is safe to show', () => {
		const { sentence } = nextAnnouncement(NOTHING_ANNOUNCED, { asks: [ASK], now: 0 });
		expect(sentence).toBe('New request, high risk: Bash "ls \\u{202e}". 1 pending.');
	});

	it('says at most one sentence a second, with everything since the last one', () => {
		const first = nextAnnouncement(NOTHING_ANNOUNCED, { asks: [ASK], now: 0 });
		const asks = [ASK, other(2), other(3)];
		expect(nextAnnouncement(first, { asks, now: 999 })).toBe(first);
		expect(nextAnnouncement(first, { asks, now: 1_000 }).sentence).toBe('2 new requests. 3 pending.');
	});

	it('says how many are left when one is decided, and nothing if nothing changed', () => {
		const first = nextAnnouncement(NOTHING_ANNOUNCED, { asks: [ASK, other(2)], now: 0 });
		const second = nextAnnouncement(first, { asks: [ASK], now: 2_000 });
		expect(second.sentence).toBe('1 pending.');
		expect(nextAnnouncement(second, { asks: [ASK], now: 9_000 })).toBe(second);
		expect(nextAnnouncement(second, { asks: [], now: 9_000 }).sentence).toBe('No pending requests.');
	});

	it('says nothing on a page without requests', () => {
		expect(nextAnnouncement(NOTHING_ANNOUNCED, { asks: [], now: 0 }).sentence).toBe('');
	});
});
