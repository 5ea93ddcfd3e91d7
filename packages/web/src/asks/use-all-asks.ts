// Pending requests of all runners, the oldest first, each with its runner.
import type { AskDetail } from '@roost/protocol/api/asks';
import type { ServedRunner } from '../data/fleet.ts';
import { useWorlds } from '../data/use-fleet.tsx';

export type PlacedAsk = {
	readonly ask: AskDetail;
	readonly runner: ServedRunner;
	/** Here; the decision is not known yet. */
	readonly isAnswered: boolean;
};

export function useAllAsks(): readonly PlacedAsk[] {
	const placed = useWorlds().flatMap(({ runner, world }) =>
		world.asks.map((ask) => ({ ask, runner, isAnswered: world.answered.has(ask.id) })),
	);
	return placed.toSorted((a, b) => a.ask.openedAt - b.ask.openedAt);
}
