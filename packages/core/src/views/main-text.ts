// The text to copy from an event: the message, the command, the output; JSON where there is no such text.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { toJson } from '../display/to-json.ts';
import { textAt } from '../display/tools/fields.ts';
import { responseText } from '../display/tools/response-text.ts';
import type { ToolResult } from './feed-list.ts';

export function mainText(event: FeedEvent, result?: ToolResult): string {
	switch (event.kind) {
		case 'user.prompt':
			return event.data.prompt;
		case 'agent.message':
			return event.data.text;
		case 'tool.pre':
		case 'permission.request':
		case 'permission.denied':
			return textAt(event.data.tool_input, 'command') ?? (result ? mainText(result) : toJson(event.data.tool_input));
		case 'tool.post':
			return (
				textAt(event.data.tool_response, 'stdout') ?? responseText(event.data.tool_response) ?? toJson(event.data.tool_response)
			);
		case 'tool.failure':
			return event.data.error;
		case 'notification':
			return event.data.message;
		default:
			return toJson(event);
	}
}
