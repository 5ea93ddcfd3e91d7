// The whole text of an event: the prompt, the response, the command, the output. Printed below its line by `--full`.

import { isFields, listAt, textAt } from '@roost/core/display/tools/fields';
import { responseText } from '@roost/core/display/tools/response-text';
import { mainText } from '@roost/core/views/main-text';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent } from '@roost/protocol/feed/event';

/** Undefined where the title says it all. A result that is no text is JSON, and only part of everything. */
export function eventText(event: FeedEvent, full: boolean): string | undefined {
	switch (event.kind) {
		case 'user.prompt':
		case 'agent.message':
		case 'tool.failure':
			return mainText(event);
		case 'tool.pre':
			return inputText(event.data.tool_input);
		case 'tool.post':
			return resultText(event.data.tool_response) ?? (full ? JSON.stringify(event.data.tool_response, null, 2) : undefined);
		default:
			return undefined;
	}
}

function inputText(input: ToolInput): string | undefined {
	const command = textAt(input, 'command');
	if (command !== undefined) return command;
	return Object.keys(input).length > 1 ? JSON.stringify(input, null, 2) : undefined;
}

/** What a tool returned, as the text that a user would look for in it. */
function resultText(response: unknown): string | undefined {
	if (response === undefined || response === null) return '';
	return textAt(response, 'stdout') === undefined ? (fileText(response) ?? responseText(response)) : outputText(response);
}

function outputText(response: unknown): string {
	const parts = [textAt(response, 'stdout'), textAt(response, 'stderr')].map((text = '') => text.trimEnd());
	return parts.filter((text) => text !== '').join('\n');
}

function fileText(response: unknown): string | undefined {
	if (!isFields(response)) return undefined;
	const names = listAt(response, 'filenames');
	return textAt(response.file, 'content') ?? textAt(response, 'content') ?? names?.map(String).join('\n');
}
