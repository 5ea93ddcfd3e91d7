// What a screen reader says about requests: at most one sentence a second.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { askSubject } from '@roost/core/views/ask-words';
import type { AskId } from '@roost/protocol/ids';
import type { PageWorld } from '../data/page-world.ts';

export type Announced = {
	readonly sentence: string;
	readonly at: number;
	/** The pending requests that it was about. */
	readonly pending: ReadonlySet<AskId>;
};

const QUIET_MS = 1_000;
const LONGEST = 60;

export const NOTHING_ANNOUNCED: Announced = { sentence: '', at: Number.NEGATIVE_INFINITY, pending: new Set() };

/** Changes that come too soon after a sentence are part of the next one. */
export function nextAnnouncement(before: Announced, { asks, now }: Pick<PageWorld, 'asks' | 'now'>): Announced {
	if (now - before.at < QUIET_MS) return before;
	const added = asks.filter(({ id }) => !before.pending.has(id));
	const isSame = added.length === 0 && asks.length === before.pending.size;
	if (isSame) return before;
	return { sentence: sentenceOf(asks, added), at: now, pending: new Set(asks.map(({ id }) => id)) };
}

function sentenceOf(asks: PageWorld['asks'], added: PageWorld['asks']): string {
	const count = asks.length === 0 ? 'No pending requests.' : `${asks.length} pending.`;
	const [first, ...others] = added;
	if (!first) return count;
	if (others.length > 0) return `${added.length} new requests. ${count}`;
	if (first.kind === 'question') return `New question. ${count}`;
	return `New request, ${first.risk} risk: ${sanitiseLine(askSubject(first, shorten))}. ${count}`;
}

function shorten(text: string): string {
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
