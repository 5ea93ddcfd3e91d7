// The searchable text of an event, beside its title: messages, commands, paths.
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedEvent } from '@roost/protocol/feed/event';

export function searchText(event: FeedEvent): string {
	return partsOf(event)
		.filter((part) => part !== undefined && part !== '')
		.join('\n');
}

function partsOf(event: FeedEvent): (string | undefined)[] {
	switch (event.kind) {
		case 'user.prompt':
			return [event.data.prompt];
		case 'prompt.expansion':
			return [event.data.command_name, event.data.command_args, event.data.prompt];
		case 'agent.message':
			return [event.data.text];
		case 'message.display':
			return [event.data.delta];
		case 'tool.pre':
		case 'tool.post':
		case 'permission.request':
		case 'permission.denied':
			return toolParts(event.data.tool_input);
		case 'tool.failure':
			return [...toolParts(event.data.tool_input), event.data.error];
		case 'permission.decision':
		case 'stop.decision':
			return [event.data.reason];
		case 'question.request':
			return event.data.questions.flatMap(({ question, header, options }) => [
				question,
				header,
				...options.map(({ label }) => label),
			]);
		case 'question.answer':
			return Object.entries(event.data.answers).flat();
		case 'elicitation.request':
			return [event.data.message];
		case 'stop.request':
		case 'subagent.stop':
			return [event.data.last_assistant_message];
		case 'stop.failure':
			return [event.data.error, event.data.last_assistant_message];
		case 'session.summary':
			return [event.data.last_assistant_text, event.data.error];
		case 'task.created':
		case 'task.completed':
			return [event.data.task_subject, event.data.task_description];
		case 'todo.add':
			return [event.data.text, event.data.details];
		case 'todo.update':
			return [event.data.patch.text, event.data.patch.details];
		case 'notification':
			return [event.data.message, event.data.title];
		case 'compact.post':
			return [event.data.compact_summary];
		case 'config.change':
		case 'instructions.loaded':
		case 'file.change':
			return [event.data.file_path];
		case 'worktree.remove':
			return [event.data.worktree_path];
		case 'cwd.change':
			return [event.data.old_cwd, event.data.new_cwd];
		case 'directory.add':
			return [event.data.directory];
		case 'runtime.error':
			return [event.data.message];
		// Nothing beside the title, a repeat of other events, or never stored.
		case 'agent.delta':
		case 'tool.delta':
		case 'tool.batch':
		case 'session.start':
		case 'session.end':
		case 'session.native':
		case 'session.drive':
		case 'session.renamed':
		case 'session.archived':
		case 'prompt.update':
		case 'run.start':
		case 'run.end':
		case 'usage.update':
		case 'elicitation.result':
		case 'subagent.start':
		case 'teammate.idle':
		case 'todo.done':
		case 'setup':
		case 'compact.pre':
		case 'model.switch.pre':
		case 'model.switch.post':
		case 'worktree.create':
		case 'runtime.status':
		case 'terminal.open':
		case 'terminal.close':
		case 'rule.added':
		case 'rule.removed':
		case 'mcp.trusted':
		case 'mcp.untrusted':
		case 'device.registered':
		case 'device.revoked':
		case 'device.push':
		case 'unknown.hook':
			return [];
		default:
			return assertNever(event);
	}
}

/** The inputs that identify a call; file contents and outputs would bury them. */
const TOOL_KEYS = ['command', 'description', 'file_path', 'notebook_path', 'path', 'pattern', 'glob', 'query', 'url', 'prompt'];

function toolParts(input: ToolInput): string[] {
	return TOOL_KEYS.map((key) => input[key]).filter((value) => typeof value === 'string');
}
