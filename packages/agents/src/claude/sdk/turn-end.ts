// How a turn ended, from Claude's result.

import { TURN_LIMIT } from '@roost/core/runtime/normal-form/hook-payloads';
import { z } from 'zod';
import type { TurnEnd } from '../../live/turns.ts';

const result = z.looseObject({
	subtype: z.string().default(''),
	is_error: z.boolean().default(false),
	terminal_reason: z.string().nullish(),
	result: z.string().nullish(),
	errors: z.array(z.string()).nullish(),
});

export function parseTurnEnd(raw: unknown): TurnEnd {
	const parsed = result.safeParse(raw);
	if (!parsed.success) return { type: 'failed', error: 'unknown', why: 'Claude ended its turn in words that Roost cannot read.' };
	const { subtype, is_error, terminal_reason, result: said, errors } = parsed.data;
	if (terminal_reason?.startsWith('aborted')) return { type: 'interrupted' };
	// An API error comes as a success that is an error.
	if (!is_error && !subtype.startsWith('error')) return { type: 'completed', said: said ?? undefined };
	if (subtype === 'error_max_turns')
		return {
			type: 'failed',
			error: TURN_LIMIT,
			why: `Reached the limit of ${turnsIn(errors)} per prompt. Send another prompt to continue.`,
		};
	const error = terminal_reason ?? subtype;
	return { type: 'failed', error, why: errors?.join(' ') || said || `Claude gave up (${error}).` };
}

/** Claude says how many they were only in its sentence. */
function turnsIn(errors: readonly string[] | null | undefined): string {
	const count = /\((\d+)\)/.exec(errors?.[0] ?? '')?.[1];
	return count === undefined ? 'turns' : `${count} ${count === '1' ? 'turn' : 'turns'}`;
}
