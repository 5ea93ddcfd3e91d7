// How much of the output was thinking, where Claude says so; of models that do not think nothing is said.
import { z } from 'zod';

/** `output_tokens_details` of a message's usage. */
export const thinkingTokens = z
	.object({ thinking_tokens: z.number().int().positive() })
	.transform(({ thinking_tokens }): { reasoning_tokens?: number } => ({ reasoning_tokens: thinking_tokens }))
	.optional()
	.catch(undefined);
