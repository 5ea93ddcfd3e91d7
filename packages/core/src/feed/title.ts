// The title of an event in words: one line, safe to print (control and invisible characters are escaped). Faces add their own signs.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { FeedData, FeedEvent, FeedEventKind } from '@roost/protocol/feed/event';
import { money } from '../display/amounts.ts';
import { cutText } from '../display/cut.ts';
import { plural } from '../display/plural.ts';
import { sanitiseLine } from '../display/sanitise.ts';
import { elicitationWords, failureWords, plainWords, stopWords } from './plain-words.ts';

const TITLE_LENGTH = 160;
const PREVIEW_LENGTH = 80;
const SCANNED = 1000;

export function eventTitle({ kind, data }: FeedEvent): string {
	return titleOf(kind, data);
}

export function titleOf<K extends FeedEventKind>(kind: K, data: DataByKind[K]): string {
	return toLine(titles[kind](data), TITLE_LENGTH);
}

/** The first line of a text, short enough for a list. */
export function toPreview(text: string): string {
	return toLine(firstLine(text), PREVIEW_LENGTH);
}

/** Cuts before it escapes, so that a long text costs no more than a short one. */
function toLine(text: string, length: number): string {
	const line = sanitiseLine(cutText(text, length));
	return text.length > length || line.length > length ? `${cutText(line, length - 1)}…` : line;
}

type DataByKind = { [K in FeedEventKind]: FeedData<K> };

const titles: { [K in FeedEventKind]: (data: DataByKind[K]) => string } = {
	'session.start': ({ source, model }) => `${plainWords('start', source)}${model ? ` (${model})` : ''}`,
	'session.end': ({ reason }) => `Session ended${because(plainWords('end', reason))}`,
	'session.native': ({ agent, native_id, reason }) => `${agent} session ${native_id}${because(plainWords('native', reason))}`,
	'session.summary': ({ messages, tool_calls, error }) =>
		`Summary: ${plural(messages, 'message')}, ${plural(tool_calls, 'tool call')}${error ? `, error: ${firstLine(error)}` : ''}`,
	'run.start': ({ trigger }) => `Run${because(trigger.prompt_preview)}`,
	'run.end': ({ status, reason }) => `Run ${status}${because(reason)}`,
	'user.prompt': ({ prompt }) => firstLine(prompt),
	'prompt.expansion': ({ command_name, command_args, prompt }) =>
		command_name ? `/${command_name} ${command_args ?? ''}`.trimEnd() : firstLine(prompt ?? 'Prompt expanded'),
	'agent.message': ({ text }) => firstLine(text),
	'agent.delta': ({ text }) => text,
	'message.display': ({ delta }) => firstLine(delta),
	'usage.update': ({ total, cost_usd_estimate }) =>
		`Usage: ${total.input_tokens} in, ${total.output_tokens} out${cost_usd_estimate === undefined ? '' : `, ${money(cost_usd_estimate)}`}`,
	'tool.pre': ({ tool_name, tool_input }) => `${tool_name}${subjectOf(tool_input)}`,
	'tool.post': ({ tool_name }) => `${tool_name} result`,
	'tool.failure': ({ tool_name, error }) => `${tool_name} failed${because(failureWords(error))}`,
	'tool.delta': ({ text }) => text,
	'tool.batch': ({ tool_calls }) => `Batch of ${tool_calls.length}: ${tool_calls.map(({ tool_name }) => tool_name).join(', ')}`,
	'permission.request': ({ tool_name }) => `Permission: ${tool_name}`,
	'permission.decision': (data) => {
		if (data.decision_type === 'deny')
			// The message of a rule is a whole sentence.
			return data.decided_by === 'rule' && data.rule_id !== undefined ? data.message : `Denied${because(data.message)}`;
		if (data.decided_by === 'terminal') return "Resolved in the agent's terminal (reported by the agent)";
		if (data.decision_type === 'allow') return 'Allowed';
		return data.decision_type === 'ask' ? `Ask${because(data.reason)}` : `No opinion${because(data.reason)}`;
	},
	'permission.denied': ({ tool_name, reason }) => `${tool_name} denied by the agent${because(reason)}`,
	'question.request': ({ questions }) => questions.map(({ question }) => question).join(' · '),
	'question.answer': ({ answers, reason }) =>
		Object.keys(answers).length > 0 ? `Answered: ${Object.values(answers).join(' · ')}` : `Not answered${because(reason)}`,
	'stop.request': ({ background_tasks }) => (background_tasks ? `Stop, ${background_tasks} in the background` : 'Stop'),
	'stop.decision': ({ decision_type, reason }) =>
		decision_type === 'block'
			? `Stop blocked${because(reason)}`
			: decision_type === 'allow'
				? 'Stop allowed'
				: `No opinion${because(reason)}`,
	'stop.failure': ({ error, last_assistant_message }) =>
		`Stopped by an error${because(last_assistant_message ?? stopWords(error))}`,
	'elicitation.request': ({ mcp_server_name, message }) => `${mcp_server_name}: ${firstLine(message)}`,
	'elicitation.result': ({ mcp_server_name, action }) => `${mcp_server_name}: ${elicitationWords(action)}`,
	'subagent.start': ({ agent_type }) => `Subagent ${agent_type} started`,
	'subagent.stop': ({ agent_type }) => `Subagent ${agent_type} stopped`,
	'teammate.idle': ({ teammate_name }) => `${teammate_name ?? 'A teammate'} is idle`,
	'task.created': (data) => `Task created: ${data.task_subject ?? data.task_id}`,
	'task.completed': (data) => `Task completed: ${data.task_subject ?? data.task_id}`,
	'todo.add': ({ text }) => firstLine(text),
	'todo.update': ({ todo_id, patch }) =>
		`${firstLine(patch.text ?? `${todo_id} changed`)}${patch.status ? ` (${patch.status})` : ''}`,
	'todo.done': ({ todo_id, reason }) => `${todo_id} ${reason ?? 'done'}`,
	notification: ({ message }) => firstLine(message),
	setup: ({ trigger }) => `Setup ${plainWords('trigger', trigger)}`,
	'compact.pre': ({ trigger }) => `Compacting ${plainWords('trigger', trigger)}`,
	'compact.post': ({ trigger }) => `Compacted ${plainWords('trigger', trigger)}`,
	'model.switch.pre': ({ from_model, to_model }) => `Switching model: ${from_model ?? '?'} → ${to_model ?? '?'}`,
	'model.switch.post': ({ from_model, to_model }) => `Model: ${from_model ?? '?'} → ${to_model ?? '?'}`,
	'config.change': ({ source, file_path }) => `Settings changed: ${file_path ?? plainWords('settings', source)}`,
	'worktree.create': ({ name }) => `Worktree ${name} created`,
	'worktree.remove': ({ worktree_path }) => `Worktree ${worktree_path} removed`,
	'instructions.loaded': ({ file_path }) => `Instructions: ${file_path}`,
	'cwd.change': ({ new_cwd }) => `Working directory: ${new_cwd}`,
	'file.change': ({ file_path, event }) => `${plainWords('file', event ?? 'change')}: ${file_path}`,
	'directory.add': ({ directory }) => `Directory added: ${directory}`,
	'runtime.error': ({ message }) => firstLine(message),
	'runtime.status': ({ status, reason }) => `${RUNTIME_STATES[status]}${because(reason)}`,
	'terminal.open': ({ terminal_id }) => `Terminal ${terminal_id} opened`,
	'terminal.close': ({ terminal_id, reason }) => `Terminal ${terminal_id} closed${because(reason)}`,
	'rule.added': ({ rule }) => `Rule added: ${rule.decision} ${rule.tool}${rule.argsPattern ? `(${rule.argsPattern})` : ''}`,
	'rule.removed': ({ rule_id }) => `Rule removed: ${rule_id}`,
	'mcp.trusted': ({ server, trusted_by }) => `MCP server trusted by ${trusted_by}: ${server}`,
	'mcp.untrusted': ({ server, untrusted_by, reason }) =>
		`MCP server no longer trusted, by ${untrusted_by}: ${server}${reason ? ` (${firstLine(reason)})` : ''}`,
	'device.registered': ({ name, registered_by }) => `Device registered by ${registered_by}: ${name}`,
	'device.revoked': ({ name, revoked_by, reason }) =>
		`Device revoked by ${revoked_by}: ${name}${reason ? ` (${firstLine(reason)})` : ''}`,
	'device.push': ({ name, enabled, host, changed_by, reason }) =>
		`Notifications ${enabled ? 'enabled' : 'disabled'} by ${changed_by}: ${name} (${firstLine(reason ?? host)})`,
	'session.drive': ({ mode, model, permission_mode }) =>
		[`Driven ${mode === 'pty' ? 'in a terminal' : 'by Roost'}`, model, permission_mode].filter(Boolean).join(', '),
	'session.renamed': ({ title }) => `Renamed to ${firstLine(title)}`,
	'session.archived': ({ archived }) => (archived ? 'Session archived' : 'Session unarchived'),
	'prompt.update': ({ state, text, reason }) => `${PROMPT_STATES[state]}${because(text ?? reason)}`,
	'unknown.hook': ({ hook_event_name }) => hook_event_name,
};

const PROMPT_STATES = {
	queued: 'Prompt queued',
	edited: 'Prompt edited',
	moved: 'Prompt moved in the queue',
	sent: 'Prompt sent',
	steered: 'Prompt sent into the run',
	arrived: 'Prompt delivered',
	returned: 'Prompt queued again',
	cancelled: 'Prompt cancelled',
} as const;

const RUNTIME_STATES = { connected: 'Connected', gap: 'Something was missed', degraded: 'Degraded' } as const;

function because(reason: string | undefined): string {
	return reason ? `: ${firstLine(reason)}` : '';
}

/** The first line with anything on it, with a sign that more follows. */
function firstLine(text: string): string {
	const trimmed = text.slice(0, SCANNED).trim();
	const end = trimmed.search(/\r?\n/);
	return end < 0 ? trimmed : `${trimmed.slice(0, end)} …`;
}

const SUBJECTS = 'command file_path notebook_path path pattern query url subject description taskId name'.split(' ');

/** The main argument of a call, with all its lines: a second line of a command is as important as the first. */
function subjectOf(input: ToolInput): string {
	const named = SUBJECTS.find((key) => typeof input[key] === 'string');
	const subject = named === undefined ? Object.values(input).find((value) => typeof value === 'string') : input[named];
	return subject === undefined ? '' : `(${subject})`;
}
