// Which requests the inbox shows: pending ones, and decided ones for a few seconds after they were pending here.
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import type { PageWorld } from '../data/page-world.ts';

const STAYS_MS = 3_000;

/** When each request appeared here, and when its decision did. Changed in place. */
export type Shown = Map<AskId, { ask: AskDetail | AskRow; since: number; decidedAt?: number }>;

export type Card = { ask: AskDetail | AskRow; since: number };

export function recentlyShown(shown: Shown, { asks, decided, now }: Pick<PageWorld, 'asks' | 'decided' | 'now'>): Card[] {
	for (const ask of asks) shown.set(ask.id, { ask, since: shown.get(ask.id)?.since ?? now });
	const pending = new Set(asks.map(({ id }) => id));
	for (const [id, entry] of shown) {
		if (pending.has(id)) continue;
		const decision = decided.get(id);
		const decidedAt = entry.decidedAt ?? now;
		if (decision === undefined || now - decidedAt >= STAYS_MS) shown.delete(id);
		else shown.set(id, { ask: decision, since: entry.since, decidedAt });
	}
	return [...shown.values()].sort((a, b) => a.ask.openedAt - b.ask.openedAt).map(({ ask, since }) => ({ ask, since }));
}
