// Calls of the most common tools with one text in every text field, and their results.
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';

type Call = { tool: string; input: Record<string, unknown>; responses: readonly unknown[] };

/** Each call alone, with each of its results, and with a failure. */
export function everyCall(text: string): { call: FeedEvent; result?: FeedEvent }[] {
	return callsOf(text).flatMap(({ tool, input, responses }) => {
		const data = { tool_name: tool, tool_input: input };
		const call = event('tool.pre', data);
		const results = responses.map((tool_response) => event('tool.post', { ...data, tool_response }));
		return [{ call }, ...[...results, event('tool.failure', { ...data, error: text })].map((result) => ({ call, result }))];
	});
}

function event(kind: string, data: object): FeedEvent {
	const base = { seq: 1, ts: 0, session_id: 's1', run_id: 's1:R1', level: 'info', actor_id: 'agent:root' };
	return feedEvent.parse({ ...base, event_id: `s1:R1:${kind}`, kind, data });
}

function callsOf(text: string): Call[] {
	const file = { file_path: `/project/${text}` };
	const patch = [{ oldStart: 7, newStart: 8, lines: [` ${text}`, `-${text}`, `+${text}`, text, 5] }, text];
	return [
		{
			tool: 'Bash',
			input: { command: text, description: text, timeout: 5 },
			responses: [{ stdout: text, stderr: text, interrupted: true }, text, { stdout: '', stderr: '' }, null],
		},
		{
			tool: 'Edit',
			input: { ...file, old_string: `same\n${text}`, new_string: `same\nnew ${text}`, replace_all: false },
			responses: [{ structuredPatch: patch }, text],
		},
		{ tool: 'MultiEdit', input: { ...file, edits: [{ old_string: text, new_string: '' }, text] }, responses: [{}] },
		{ tool: 'Write', input: { ...file, content: text }, responses: [{ originalFile: `old\n${text}` }] },
		{ tool: 'NotebookEdit', input: { notebook_path: text, new_source: text }, responses: [text] },
		{
			tool: 'Read',
			input: file,
			responses: [{ file: { content: text, startLine: 9, numLines: 3 } }, { file: { cells: [text] } }],
		},
		{
			tool: 'Grep',
			input: { pattern: text, path: text },
			responses: [{ filenames: [text, 3], content: text }, { filenames: [] }],
		},
		{ tool: 'Glob', input: { pattern: text }, responses: [{ filenames: [text] }] },
		{ tool: 'Agent', input: { description: text, prompt: text, subagent_type: text }, responses: [{ content: [{ text }] }] },
		{ tool: 'TodoWrite', input: { todos: [{ content: text, status: 'completed' }, { status: text }, text] }, responses: [{}] },
		{ tool: 'TodoWrite', input: { todos: text }, responses: [[]] },
		{ tool: 'TaskUpdate', input: { taskId: text, status: text }, responses: [{ success: true }] },
		{ tool: 'AskUserQuestion', input: { questions: [{ question: text }] }, responses: [{ answers: { [text]: text } }] },
		{ tool: 'ExitPlanMode', input: { plan: text }, responses: [text] },
		{ tool: `mcp__${text}__${text}`, input: { [text]: text }, responses: [[{ type: 'text', text }], [{ type: 'image' }], 3] },
		{ tool: text, input: { [text]: [text] }, responses: [true] },
	];
}
