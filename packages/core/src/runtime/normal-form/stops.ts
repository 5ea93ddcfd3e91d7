// Payloads of an agent that wants to stop, or had to.
import { z } from 'zod';
import { hookPayload, optionalText } from './common.ts';

export const stop = hookPayload({
	stop_hook_active: z.boolean(),
	last_assistant_message: optionalText,
	background_tasks: z.array(z.unknown()).nullish(),
	/** Somebody stopped it in the middle; agents that have no word for it just fall silent. */
	interrupted: z.boolean().nullish(),
});

/** The `error` of a turn that its limit of model calls ended. */
export const TURN_LIMIT = 'max_turns';

export const stopFailure = hookPayload({ error: z.string(), last_assistant_message: optionalText });
