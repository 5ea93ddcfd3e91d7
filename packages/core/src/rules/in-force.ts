// Whether a rule still decides: looked at whenever something is decided, so that no timer has to fire first.
import type { Rule } from '@roost/protocol/rule';

export function isInForce({ expiresAt }: Rule, now: number): boolean {
	return expiresAt === undefined || now < expiresAt;
}
