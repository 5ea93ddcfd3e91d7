// How much of an output was reasoning, as a part of what was used; of models that do not reason nothing is said.

export function toReasoning(tokens: number | undefined): { reasoning_tokens?: number } {
	return tokens !== undefined && tokens > 0 ? { reasoning_tokens: tokens } : {};
}
