// Which sessions can be ended from here, and one sentence for those that cannot.
import type { SessionRow } from '@roost/protocol/session-row';

/** Undefined where it can. */
export function whyNotEnd({ id, driven, status }: SessionRow): string | undefined {
	if (!driven) return `Roost only looks at ${id}: end it in the terminal where it runs.`;
	return status === 'ended' ? `${id} has ended already.` : undefined;
}
