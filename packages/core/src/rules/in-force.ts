// Whether a rule has expired. Checked on every decision, so that no timer is needed.
import type { Rule } from '@roost/protocol/rule';

export function isInForce({ expiresAt }: Rule, now: number): boolean {
	return expiresAt === undefined || now < expiresAt;
}
