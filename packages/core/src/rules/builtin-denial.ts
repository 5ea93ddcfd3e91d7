// A denial that no rule can lift, and why.
import type { Rule } from '@roost/protocol/rule';

export type BuiltinDenial = { rule: Rule; why: string };
