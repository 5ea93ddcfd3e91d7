// The demo's story as data: an agent mends a health check. It works, asks, is answered by rules, delegates, fails once, finishes.
import type { MockScript, MockScriptEntry } from '@roost/agents/mock/scripted-replay';
import type { ToolInput } from '@roost/protocol/feed/base';

const SUBAGENT = { agentId: 'scout', agentType: 'Explore' };

/** `nativeId` plays the agent's own id of the session: a new one for every showing. */
export function demoScript(cwd: string, nativeId: string): MockScript {
	const at = scene(cwd, nativeId);
	return [
		at(0, 'SessionStart', { source: 'startup', model: 'scripted' }),
		at(300, 'UserPromptSubmit', { prompt: 'The health check answers 200 while the database is down. Mend it and prove it.' }),
		say(at, 600, 'm1', 'I will look at the route first.'),
		...call(at, 't1', 'Read', { file_path: 'src/health.ts' }, { lines: 42 }),
		...call(at, 't2', 'TodoWrite', { todos: todos('in_progress', 'pending') }, {}),
		...subagent(at),
		...asked(at, 't4', 'Edit', {
			file_path: 'src/health.ts',
			old_string: 'return ok()',
			new_string: 'return (await db.ping()) ? ok() : unavailable()',
		}),
		...asked(
			at,
			't5',
			'Bash',
			{ command: 'npm test', description: 'Run the tests' },
			'Exit code 1\n1 test failed: answers 503 when the database is down',
		),
		say(at, 500, 'm2', 'The test is right: the ping is not awaited in the cache.'),
		...asked(at, 't6', 'Edit', { file_path: 'src/cache.ts', old_string: 'db.ping()', new_string: 'await db.ping()' }),
		...asked(at, 't7', 'Bash', { command: 'npm test', description: 'Run the tests again' }),
		...refused(at, 't8', 'Bash', { command: 'git push --force origin main', description: 'Publish' }),
		...call(at, 't9', 'TodoWrite', { todos: todos('completed', 'completed') }, {}),
		say(
			at,
			600,
			'm3',
			'Done: the check now answers 503 while the database is down, and a test proves it. I did not push; that was refused.',
		),
		at(200, 'Stop', { stop_hook_active: false, last_assistant_message: '', background_tasks: [] }),
		at(300, 'SessionEnd', { reason: 'other' }),
	];
}

type Scene = (
	delayMs: number,
	hookName: string,
	payload: Record<string, unknown>,
	more?: Partial<MockScriptEntry['event']>,
) => MockScriptEntry;

function scene(cwd: string, nativeId: string): Scene {
	return (delayMs, hookName, payload, more = {}) => ({
		delayMs,
		event: {
			hookName,
			sessionId: nativeId,
			context: { cwd, transcriptPath: '', permissionMode: 'default' },
			...more,
			payload: { ...payload, ...(more.agentId ? { agent_id: more.agentId, agent_type: more.agentType } : {}) },
		},
	});
}

function say(at: Scene, delayMs: number, id: string, text: string): MockScriptEntry {
	return at(delayMs, 'MessageDisplay', { message_id: id, index: 0, final: true, delta: text });
}

/** A call that needs no permission. */
function call(
	at: Scene,
	id: string,
	tool: string,
	input: ToolInput,
	response: unknown,
	who: Partial<MockScriptEntry['event']> = {},
): MockScriptEntry[] {
	return [before(at, id, tool, input, who), after(at, id, tool, input, response, who)];
}

/** A call the agent asks permission for; a rule answers. With an error it then fails. */
function asked(at: Scene, id: string, tool: string, input: ToolInput, error?: string): MockScriptEntry[] {
	const request = at(150, 'PermissionRequest', { tool_name: tool, tool_input: input }, waits(`${id}-ask`, tool));
	const failure = { tool_name: tool, tool_input: input, tool_use_id: id, error: error ?? '', is_interrupt: false };
	return [
		before(at, id, tool, input),
		{ ...request, awaitDecisionForId: `${id}-ask` },
		error === undefined
			? after(at, id, tool, input, { ok: true })
			: at(700, 'PostToolUseFailure', failure, { toolName: tool, toolUseId: id }),
	];
}

/** A call that a rule refuses before it runs; the batch closes it. */
function refused(at: Scene, id: string, tool: string, input: ToolInput): MockScriptEntry[] {
	const closed = { tool_name: tool, tool_input: input, tool_use_id: id, tool_response: 'refused by a rule' };
	return [before(at, id, tool, input), at(200, 'PostToolBatch', { tool_calls: [closed] })];
}

function subagent(at: Scene): MockScriptEntry[] {
	const input = { description: 'Find every caller', prompt: 'Who calls ping()?', subagent_type: SUBAGENT.agentType };
	return [
		before(at, 't3', 'Agent', input),
		at(200, 'SubagentStart', {}, SUBAGENT),
		...call(at, 's1', 'Grep', { pattern: 'ping\\(' }, { files: 2 }, SUBAGENT),
		...call(at, 's2', 'Read', { file_path: 'src/cache.ts' }, { lines: 17 }, SUBAGENT),
		at(
			300,
			'SubagentStop',
			{ stop_hook_active: false, last_assistant_message: 'Two callers: health.ts and cache.ts.' },
			SUBAGENT,
		),
		after(at, 't3', 'Agent', input, { text: 'Two callers: health.ts and cache.ts.' }),
	];
}

function before(
	at: Scene,
	id: string,
	tool: string,
	input: ToolInput,
	who: Partial<MockScriptEntry['event']> = {},
): MockScriptEntry {
	const entry = at(
		400,
		'PreToolUse',
		{ tool_name: tool, tool_input: input, tool_use_id: id },
		{ ...who, ...waits(`${id}-pre`, tool), toolUseId: id },
	);
	return { ...entry, awaitDecisionForId: `${id}-pre` };
}

function after(
	at: Scene,
	id: string,
	tool: string,
	input: ToolInput,
	response: unknown,
	who: Partial<MockScriptEntry['event']> = {},
): MockScriptEntry {
	const payload = { tool_name: tool, tool_input: input, tool_use_id: id, tool_response: response };
	return at(500, 'PostToolUse', payload, { ...who, toolName: tool, toolUseId: id });
}

function waits(id: string, toolName: string): Partial<MockScriptEntry['event']> {
	return { id, toolName, interaction: { expectsDecision: true, canBlock: true, defaultTimeoutMs: 10_000 } };
}

function todos(first: string, second: string) {
	return [
		{ content: 'Ask the database in the health check', status: first, activeForm: 'Asking the database' },
		{ content: 'Prove it with a test', status: second, activeForm: 'Proving it' },
	];
}
