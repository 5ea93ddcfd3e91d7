// How a turn ended, from Claude's result.
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
		return { type: 'failed', error: 'max_turns', why: `${limitWords(errors)}: send another prompt to go on.` };
	const error = terminal_reason ?? subtype;
	return { type: 'failed', error, why: errors?.join(' ') || said || `Claude gave up (${error}).` };
}

function limitWords(errors: readonly string[] | null | undefined): string {
	return errors?.[0] ?? 'Reached the maximum number of turns for one prompt';
}
