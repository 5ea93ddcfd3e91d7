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
	/** Whether this device has any network. */
	readonly isOnline: boolean;
};

export function toGuard(
	{ risk, kind }: Pick<AskRow, 'risk' | 'kind'>,
	{ isReady, isEndSeen, connection, isOnline }: Facts,
): Guard {
	const off = whyOff(connection, isOnline);
	return { isReady: isReady && off === undefined, isUnread: kind === 'permission' && risk === 'high' && !isEndSeen, off };
}

/** An answer during a cut is kept and sent; without a network nobody knows when that would be. */
function whyOff({ state }: PageWorld['connection'], isOnline: boolean): string | undefined {
	if (state === 'incompatible') return 'Answering is off: this page does not fit the runner. Reload it.';
	if (state !== 'live' && !isOnline) return 'Answering is off: this device is offline.';
	return undefined;
}
