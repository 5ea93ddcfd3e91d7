// The text of a tool's response, if it is text.
import { isFields, listAt, textAt } from './fields.ts';

export function responseText(response: unknown): string | undefined {
	if (typeof response === 'string') return response;
	if (Array.isArray(response)) return blocksText(response);
	if (!isFields(response)) return undefined;
	return blocksText(listAt(response, 'content') ?? []) ?? textAt(response, 'result') ?? textAt(response, 'message');
}

/** Only if every block is text: others would be lost. */
function blocksText(blocks: readonly unknown[]): string | undefined {
	const texts = blocks.flatMap((block) => textAt(block, 'text') ?? []);
	return texts.length > 0 && texts.length === blocks.length ? texts.join('\n') : undefined;
}
