// The scripted model of the suite: its reply depends only on the prompt, for every agent.
import { apiError, type Block, type ModelReply, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import type { Script } from '@roost/testkit/fakes/script';
import type { AgentWords } from '@roost/testkit/rigs/agents/agent-rig';

/** The prompts that the script answers. */
export const PROMPTS = {
	live: 'say hello',
	act: 'make the file made.txt',
	long: 'tell a long story',
	ask: 'ask me for a colour',
	fail: 'be unwilling',
} as const;

/** Usage of each call: 1234 tokens in, 200 of them cached, and 56 out. */
export const USED = { input_tokens: 1034, cache_read_input_tokens: 200, output_tokens: 56 } as const;

export const HELLO = 'Hello from the model.';

export function conformanceScript(words: AgentWords): Script {
	return ({ lastUserText, toolResults }) => {
		if (toolResults.length > 0) return reply([say('Done, ', 'as you wished.')]);
		if (lastUserText.includes(PROMPTS.act)) return reply([words.shell('touch made.txt')]);
		if (lastUserText.includes(PROMPTS.long)) return message([say(...STORY)], { usage: USED, pace: { delayMs: 200 } });
		if (lastUserText.includes(PROMPTS.ask)) return reply([words.question('Which colour?', COLOURS) ?? say('I cannot ask.')]);
		if (lastUserText.includes(PROMPTS.fail)) return apiError(400, 'invalid_request_error', 'I will not');
		return reply([say('Hello ', 'from the model.')]);
	};
}

export const COLOURS = ['Red', 'Blue'] as const;

/** Long enough that no test waits for its end. */
const STORY = Array.from({ length: 300 }, (_, at) => `word${at} `);

function reply(blocks: readonly Block[]): ModelReply {
	return message(blocks, { usage: USED });
}

/** Whether a request to the model contains the text. */
export function wasReported(requests: readonly ModelRequest[], text: string): boolean {
	return requests.some(({ body }) => JSON.stringify(body).includes(text));
}
