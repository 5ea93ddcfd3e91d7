// Whether a card takes an answer now, and if not, why.
import type { AskRow } from '@roost/protocol/ask';
import type { PageWorld } from '../data/page-world.ts';

export type Guard = {
	/** It is long enough in its place to be answered. */
	readonly isReady: boolean;
	/** At high risk, the end of the input has to be on screen before it can be allowed. */
	readonly isUnread: boolean;
	/** Why no answer is possible. */
	readonly off: string | undefined;
};

type Facts = {
	readonly isReady: boolean;
	readonly isEndSeen: boolean;
	readonly connection: PageWorld['connection'];
	readonly offline: PageWorld['offline'];
};

export function toGuard(
	{ risk, kind }: Pick<AskRow, 'risk' | 'kind'>,
	{ isReady, isEndSeen, connection, offline }: Facts,
): Guard {
	const off = whyOff(connection, offline !== null);
	return { isReady: isReady && off === undefined, isUnread: kind === 'permission' && risk === 'high' && !isEndSeen, off };
}

/** An answer during a short cut is kept and sent; offline, the call may have expired long before. */
function whyOff({ state }: PageWorld['connection'], isOffline: boolean): string | undefined {
	if (state === 'incompatible') return 'Answering is off: this page does not fit the runner. Reload it.';
	if (isOffline) return 'Answering is off until the runner can be reached.';
	return undefined;
}
