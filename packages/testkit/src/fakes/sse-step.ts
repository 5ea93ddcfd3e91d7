// The steps in which a fake model streams a reply, and what the APIs have in common.
import type { Usage } from './model-reply.ts';

export type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** `paced` events wait for the reply's pace: every text delta after the first of the message. */
export type StreamStep = { readonly event: StreamEvent; readonly paced: boolean };

export function toSse(event: StreamEvent): string {
	return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function step(event: StreamEvent): StreamStep {
	return { event, paced: false };
}

/** `isText` tells the deltas that show words. */
export function paceText(events: readonly StreamEvent[], isText: (event: StreamEvent) => boolean): readonly StreamStep[] {
	let textSent = false;
	return events.map((event) => {
		const paced = isText(event) && textSent;
		textSent ||= isText(event);
		return { event, paced };
	});
}

/** Tool input never comes in one piece from a real API, so it does not here. */
export function inHalves(text: string): readonly string[] {
	const middle = Math.ceil(text.length / 2);
	return [text.slice(0, middle), text.slice(middle)];
}

/** For the ids of replies, which count from 0. */
export function fourDigits(index: number): string {
	return String(index).padStart(4, '0');
}

/** So that sums are readable: 1234 tokens in, 200 of them cached, and 56 out, 7 of them for reasoning. */
const OPENAI_USAGE: Usage = {
	input_tokens: 1034,
	cache_read_input_tokens: 200,
	cache_creation_input_tokens: 0,
	output_tokens: 56,
};
const REASONING_TOKENS = 7;

/** OpenAI's APIs count cached tokens among the input. */
export function countOpenAiUsage(usage: Partial<Usage> | undefined) {
	const {
		input_tokens,
		cache_read_input_tokens: cached,
		cache_creation_input_tokens,
		output_tokens: output,
	} = { ...OPENAI_USAGE, ...usage };
	const input = input_tokens + cached + cache_creation_input_tokens;
	return { input, cached, output, reasoning: Math.min(REASONING_TOKENS, output), total: input + output };
}
