// A short session of an agent, with fixed times and ids: for screens that are compared character by character.
import { type FeedData, type FeedEvent, type FeedEventKind, feedEvent } from '@roost/protocol/feed/event';
import { askId } from '@roost/protocol/ids';

/** Noon in UTC, so that times of day are the same everywhere. */
export const SAMPLE_START = Date.UTC(2026, 4, 4, 12, 0, 0);

type Update = { kind: FeedEventKind; data: unknown; after: number; more: object };

/** `after` counts seconds from the event before. */
function reported<K extends FeedEventKind>(
	kind: K,
	data: { [Kind in FeedEventKind]: FeedData<Kind> }[K],
	after = 1,
	more: object = {},
): Update {
	return { kind, data, after, more };
}

const SUBAGENT = { actor_id: 'subagent:a1' };
const EDIT = {
	tool_name: 'Edit',
	tool_input: { file_path: '/project/src/health.ts', old_string: 'return 500;', new_string: 'return ok() ? 200 : 503;' },
	tool_use_id: 'call-2',
};
const BUILD = { tool_name: 'Bash', tool_input: { command: 'npm run build' }, tool_use_id: 'call-4' };
const REBUILD = {
	tool_name: 'Bash',
	tool_input: { command: 'rm -rf dist && npm run build' },
	ask_id: askId.parse('k3f9.1'),
	expires_at: SAMPLE_START + 350_000,
};
const GREP = { tool_name: 'Grep', tool_input: { pattern: 'health', path: '/project/src' }, tool_use_id: 'call-3' };
const READ = { tool_name: 'Read', tool_input: { file_path: '/project/src/health.ts' }, tool_use_id: 'call-1' };

const UPDATES: readonly Update[] = [
	reported('session.start', { source: 'startup', model: 'claude-opus-5' }),
	reported('run.start', { trigger: { type: 'user_prompt_submit', prompt_preview: 'Make the health check honest' } }),
	reported('user.prompt', { prompt: 'Make the health check honest, and build it.', cwd: '/project' }, 0),
	reported('agent.message', { text: 'I will read the check first.', model: 'claude-opus-5' }, 3),
	reported('todo.add', { todo_id: 't1', text: 'Read the health check' }, 0),
	reported('todo.add', { todo_id: 't2', text: 'Answer 503 when the database is gone' }, 0),
	reported('todo.add', { todo_id: 't3', text: 'Build and look at the output' }, 0),
	reported('tool.pre', READ),
	reported('tool.post', { ...READ, tool_response: { type: 'text' } }, 0, parent(8)),
	reported('todo.done', { todo_id: 't1' }, 0),
	reported('todo.update', { todo_id: 't2', patch: { status: 'doing' } }, 0),
	reported('subagent.start', { agent_id: 'a1', agent_type: 'Explore' }, 2, SUBAGENT),
	reported('tool.pre', GREP, 1, SUBAGENT),
	reported('tool.post', { ...GREP, tool_response: { mode: 'files' } }, 1, { ...SUBAGENT, ...parent(13) }),
	reported('subagent.stop', { agent_id: 'a1', agent_type: 'Explore', stop_hook_active: false }, 1, SUBAGENT),
	reported('tool.pre', EDIT, 4),
	reported('tool.post', { ...EDIT, tool_response: { filePath: '/project/src/health.ts' } }, 1, parent(16)),
	reported('usage.update', {
		total: { input_tokens: 1_200, output_tokens: 640, cache_read_tokens: 18_000, cache_write_tokens: 2_100 },
		by_model: {},
		cost_usd_estimate: 0.08,
	}),
	reported('tool.pre', BUILD),
	reported('tool.failure', { ...BUILD, error: 'src/health.ts(3,9): ok is not defined' }, 6, { ...parent(19), level: 'error' }),
	reported('agent.message', { text: 'The build fails: `ok` is not imported. Fixing that.' }, 2),
	reported('permission.request', { ...REBUILD, risk: 'high', reason: 'no rule matched' }, 1, { actor_id: 'system' }),
];

/** In the order they were reported. */
export function sampleFeed(session = 'k3f9'): FeedEvent[] {
	let ts = SAMPLE_START;
	return UPDATES.map(({ kind, data, after, more }, index) => {
		ts += after * 1_000;
		const seq = index + 1;
		const place = { event_id: `${session}:R1:E${seq}`, seq, ts, session_id: session, run_id: `${session}:R1` };
		const cause = 'parent' in more ? { cause: { parent_event_id: `${session}:R1:E${more.parent}` } } : {};
		return feedEvent.parse({ level: 'info', actor_id: 'agent:root', ...place, kind, data, ...more, ...cause });
	});
}

function parent(seq: number): object {
	return { parent: seq };
}
