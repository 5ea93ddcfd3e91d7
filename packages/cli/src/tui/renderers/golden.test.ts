import { createFeedList } from '@roost/core/views/feed-list';
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { entryRows } from '../feed/feed-rows.ts';

describe('tool call', () => {
	it('shows a shell command, then its output with stderr separately', () => {
		const input = { command: 'npm test\necho done', description: 'Run the tests' };
		expect(
			called('Bash', input, { stdout: '3 passed\r\ndone\n', stderr: 'warning: slow', interrupted: false }),
		).toMatchInlineSnapshot(`
			"▾ ✓ Bash npm test (+1 line)             2.5s
			    $ npm test
			      echo done
			    description: Run the tests
			    3 passed
			    done
			    stderr
			      warning: slow"
		`);
	});

	it('shows its input while it is running', () => {
		expect(called('Bash', { command: 'sleep 9' })).toMatchInlineSnapshot(`
			"▾ ● Bash sleep 9
			    $ sleep 9"
		`);
	});

	it('shows the requested and the executed input if it was changed', () => {
		const wanted = { tool_name: 'Bash', tool_input: { command: 'rm -r src', description: 'Tidy up' } };
		const ran = { tool_name: 'Bash', tool_input: { command: 'rm -r tmp' }, tool_response: { stdout: 'gone', stderr: '' } };
		expect(shown(event('tool.pre', wanted), 60, [resultEvent('tool.post', ran)])).toMatchInlineSnapshot(`
			"▾ ✓ Bash rm -r tmp  changed before it ran               2.5s
			    wanted
			    $ rm -r src
			    description: Tidy up
			    ran instead
			    $ rm -r tmp
			    gone"
		`);
	});

	it('is not marked as changed for fields that the agent added', () => {
		const asked = { tool_name: 'Ask', tool_input: { questions: ['Which?'] } };
		const answered = { tool_name: 'Ask', tool_input: { questions: ['Which?'], answers: { 'Which?': 'A' } }, tool_response: 'A' };
		expect(shown(event('tool.pre', asked), 60, [resultEvent('tool.post', answered)])).not.toContain('changed');
	});

	it('shows the error first when it failed', () => {
		expect(failed('Bash', { command: 'make' }, 'Exit code 2\nno rule to make target')).toMatchInlineSnapshot(`
			"▾ ✗ Bash make  Exit code 2              2.5s
			    ✗ Exit code 2
			      no rule to make target
			    $ make"
		`);
	});

	it('shows an edit as a diff, with line numbers once they are known', () => {
		const input = { file_path: '/project/src/a.ts', old_string: 'let x = 1;\nuse(x);', new_string: 'const x = 1;\nuse(x);' };
		expect(called('Edit', input)).toMatchInlineSnapshot(`
			"▾ ● Edit src/a.ts
			    /project/src/a.ts
			    - let x = 1;
			    + const x = 1;
			      use(x);"
		`);
		const patch = [{ oldStart: 9, oldLines: 2, newStart: 9, newLines: 2, lines: ['-let x = 1;', '+const x = 1;', ' use(x);'] }];
		expect(called('Edit', input, { structuredPatch: patch })).toMatchInlineSnapshot(`
			"▾ ✓ Edit src/a.ts                       2.5s
			    /project/src/a.ts
			     9 - let x = 1;
			     9 + const x = 1;
			    10   use(x);"
		`);
	});

	it('shows a write as a diff against the original file', () => {
		const input = { file_path: '/elsewhere/b.txt', content: 'one\ntwo\n' };
		expect(called('Write', input, { originalFile: 'one\n' })).toMatchInlineSnapshot(`
			"▾ ✓ Write /elsewhere/b.txt              2.5s
			    /elsewhere/b.txt
			    1   one
			    2 + two"
		`);
	});

	it('shows a read with line numbers', () => {
		const response = { type: 'text', file: { content: 'x\ny\n', startLine: 9, numLines: 2, totalLines: 80 } };
		expect(called('Read', { file_path: '/project/a.txt' }, response)).toMatchInlineSnapshot(`
			"▾ ✓ Read a.txt                          2.5s
			    file_path: /project/a.txt
			    result
			     9 x
			    10 y"
		`);
	});

	it('shows the results of a search', () => {
		const response = { mode: 'files_with_matches', filenames: ['a.ts', 'b.ts'], numFiles: 2 };
		expect(called('Grep', { pattern: 'health', path: '/project/src' }, response)).toMatchInlineSnapshot(`
			"▾ ✓ Grep health in src                  2.5s
			    pattern: health
			    path: /project/src
			    result
			    a.ts
			    b.ts"
		`);
	});

	it('shows the input of an MCP call as JSON and the text of its result', () => {
		expect(called('mcp__github__get_issue', { number: 4 }, [{ type: 'text', text: 'Open' }])).toMatchInlineSnapshot(`
			"▾ ✓ github/get_issue                    2.5s
			    {
			      "number": 4
			    }
			    result
			    Open"
		`);
	});

	it('shows the prompt and the result of a subagent', () => {
		const input = { description: 'Find the check', prompt: 'Look for **health**.', subagent_type: 'Explore' };
		expect(called('Agent', input, { content: [{ type: 'text', text: 'In `a.ts`.' }] })).toMatchInlineSnapshot(`
			"▾ ✓ Agent Explore: Find the check       2.5s
			    Look for health.
			    description: Find the check
			    subagent_type: Explore
			    result
			    In a.ts."
		`);
	});

	it('shows the todos of a plan', () => {
		const todos = [
			{ content: 'Read', status: 'completed' },
			{ content: 'Write', status: 'in_progress' },
			{ content: 'Test', status: 'pending' },
		];
		expect(called('TodoWrite', { todos }, { newTodos: todos })).toMatchInlineSnapshot(`
			"▾ ✓ TodoWrite 3 todos                   2.5s
			    ☑ Read
			    ◐ Write
			    ☐ Test"
		`);
	});
});

describe('requests and decisions', () => {
	it('shows a permission request with command, risk, reason and requester', () => {
		const data = {
			tool_name: 'Bash',
			tool_input: { command: 'rm -rf dist' },
			risk: 'high',
			reason: 'no rule',
			requested_by: 'subagent:a1',
		};
		expect(shown(event('permission.request', data))).toMatchInlineSnapshot(`
			"▾ ⚠ Permission: Bash rm -rf dist
			    $ rm -rf dist
			    risk: high
			    asked because: no rule
			    wanted by: subagent:a1"
		`);
	});

	it.each([
		[{ decision_type: 'allow', decided_by: 'user', principal: 'ada@tui' }, '  ✓ Allowed  by ada@tui'],
		[{ decision_type: 'allow', decided_by: 'rule', rule_id: 'r7' }, '  ✓ Allowed  by rule r7'],
		[{ decision_type: 'deny', decided_by: 'terminal', message: 'No.' }, '▾ ✗ Denied: No.  reported by the agent'],
		[{ decision_type: 'no_opinion', decided_by: 'timeout' }, '  ⚠ Expired  timed out'],
		[{ decision_type: 'allow', decided_by: 'terminal' }, "  ⚠ Resolved in the agent's terminal  reported by the agent"],
		[{ decision_type: 'no_opinion', decided_by: 'system' }, '  ⚠ Left to the agent  by Roost'],
	])('shows the outcome and who decided: %j', (data, line) => {
		expect(shown(event('permission.decision', data), 60).split('\n')[0]).toBe(line);
	});

	it('shows the options of a question', () => {
		const options = [{ label: 'Red', description: 'the warm one' }, { label: 'Blue' }];
		const data = { questions: [{ question: 'Which colour?', multi_select: true, options }] };
		expect(shown(event('question.request', data))).toMatchInlineSnapshot(`
			"▾ ? Which colour?
			    Which colour?
			    several may be chosen
			    • Red: the warm one
			    • Blue"
		`);
	});
});

describe('messages and other events', () => {
	it('starts a message on its first line and continues below', () => {
		expect(shown(event('agent.message', { text: 'I looked at **all** of it.\n\n- first\n- second' }))).toMatchInlineSnapshot(`
			"▾ ◆ I looked at all of it.

			    • first
			    • second"
		`);
	});

	it('does not make a one-line message expandable', () => {
		expect(shown(event('user.prompt', { prompt: 'Go on.', cwd: '/project' }))).toBe('  ❯ Go on.');
	});

	it('shows the reason and counters of a failed run', () => {
		const counters = { tool_uses: 4, tool_failures: 1, permission_requests: 0, blocks: 0 };
		expect(shown(event('run.end', { status: 'failed', counters, reason: 'limit' }), 60)).toMatchInlineSnapshot(`
			"▾ ✗ Run failed: limit  4 tool calls, 1 failed
			    limit
			    tool calls: 4
			    failed: 1
			    permission requests: 0
			    blocked: 0"
		`);
	});

	it('shows an unknown event as JSON', () => {
		expect(shown(event('unknown.hook', { hook_event_name: 'Surprise', payload: { a: [1] } }))).toMatchInlineSnapshot(`
			"▾ ? Surprise
			    {
			      "a": [
			        1
			      ]
			    }"
		`);
	});
});

function called(tool: string, input: object, response?: unknown): string {
	const data = { tool_name: tool, tool_input: input };
	return shown(
		event('tool.pre', data),
		44,
		response === undefined ? [] : [resultEvent('tool.post', { ...data, tool_response: response })],
	);
}

function failed(tool: string, input: object, error: string): string {
	const data = { tool_name: tool, tool_input: input };
	return shown(event('tool.pre', data), 44, [resultEvent('tool.failure', { ...data, error })]);
}

/** Without the time of day, which depends on the time zone. */
function shown(one: FeedEvent, width = 44, results: FeedEvent[] = []): string {
	const styles = plainStyles();
	const clock = 9;
	const feed = createFeedList();
	for (const next of [one, ...results]) feed.add(next);
	const entry = feed.at(0);
	if (!entry) throw new Error('lists leave this event out');
	const rows = entryRows(entry, { open: true, width: width + clock, styles, cwd: '/project', depth: 0 }, false);
	const lines = toText(rows, width + clock, styles).split('\n');
	return lines.map((line) => line.slice(clock)).join('\n');
}

function event(kind: string, data: object): FeedEvent {
	const base = { seq: 1, ts: 1_000, session_id: 's', run_id: 's:R1', level: 'info', actor_id: 'agent:root', title: kind };
	return feedEvent.parse({ ...base, event_id: 's:R1:E1', kind, data });
}

function resultEvent(kind: string, data: object): FeedEvent {
	return feedEvent.parse({ ...event(kind, data), event_id: 's:R1:E2', ts: 3_500, cause: { parent_event_id: 's:R1:E1' } });
}
