// Whether an answer to a request counts now.
import type { AskRow } from '@roost/protocol/ask';

/** Time to notice that a request has appeared. */
export const LOOK_MS = 400;

type Readiness = 'ready' | 'decided' | 'sent' | 'early';

/** `isSent`: an answer is on its way. `since`: when the request appeared. */
export function readinessOf(
	{ state }: Pick<AskRow, 'state'>,
	{ isSent, since, now }: { readonly isSent: boolean; readonly since: number; readonly now: number },
): Readiness {
	if (state !== 'pending') return 'decided';
	if (isSent) return 'sent';
	return now - since < LOOK_MS ? 'early' : 'ready';
}
