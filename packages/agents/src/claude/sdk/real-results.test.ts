// Results of tool calls of the real Claude: taken from its stream, equal to those that its hooks report, for every caller and outcome.
import { join } from 'node:path';
import { createFeedMapper } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { sessionId } from '@roost/protocol/ids';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { scriptAgents } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { allowAll, type TestGate, toPrompt } from '@roost/testkit/rigs/agents/driven-story';
import { describe, expect, it } from 'vitest';

const bash = (command: string) => callTool('Bash', { command, description: 'a command' });
const read = callTool('Read', { file_path: 'README.md' });
const DEADLINE = { timeout: 120_000 };

const refuse: TestGate = (event) =>
	event.hookName === 'PermissionRequest' && JSON.stringify(event.payload).includes('refused')
		? { verdict: { type: 'deny', message: 'not today' }, source: 'user' }
		: allowAll(event);

/** The tool and outcome of each call as the UI shows them, in the order they were reported. */
function outcomes(events: readonly RuntimeEvent[]): string[] {
	const mapper = createFeedMapper(sessionId.parse('s'));
	return events
		.flatMap((event) => mapper.mapEvent(event))
		.flatMap((event) => {
			if (event.kind === 'tool.failure') return `${event.data.tool_name} failed: ${event.data.error}`;
			if (event.kind === 'tool.post') return `${event.data.tool_name} returned`;
			return event.kind === 'tool.batch' ? `batch of ${event.data.tool_calls.length}` : [];
		});
}

describe('Claude without an API key', () => {
	it('reports the config.yaml line that sets the key', DEADLINE, async () => {
		await using rig = await openClaudeRig({ script: () => message([say('never')]), env: { ANTHROPIC_API_KEY: '' } });
		const { ask, payloads } = rig.start();
		await ask('go');
		const line = 'add "agents: {claude: {env: {ANTHROPIC_API_KEY: <value>}}}" to config.yaml';
		expect(payloads('StopFailure')).toMatchObject([{ last_assistant_message: expect.stringContaining(line) }]);
	});
});

describe('call outcomes', () => {
	it('are reported once for parallel calls that return, fail, are denied or do not exist', DEADLINE, async () => {
		await using rig = await openClaudeRig({
			script: scriptAgents({
				main: [
					[read, bash('echo out; echo err >&2; exit 3'), bash('touch refused'), callTool('NoSuchTool', { a: 1 })],
					[say('done')],
				],
			}),
		});
		const { ask, events, payloads, connection } = rig.start({}, refuse);
		await ask('go');
		expect(outcomes(events).toSorted()).toEqual([
			'Bash failed: Exit code 3\nout\nerr',
			'Bash failed: not today',
			'NoSuchTool failed: <tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>',
			'Read returned',
			'batch of 4',
		]);
		expect(payloads('PostToolUse')).toMatchObject([
			{
				tool_name: 'Read',
				tool_input: { file_path: join(rig.project, 'README.md') },
				tool_response: { type: 'text', file: { content: '# A project\n' } },
				duration_ms: expect.any(Number),
			},
		]);
		expect(payloads('PostToolUseFailure')).toMatchObject([{ is_interrupt: false, duration_ms: expect.any(Number) }]);
		expect(await connection.getState()).toEqual({ status: 'idle' });
	});

	it('are reported under the id of the subagent, with the patch of its edit', DEADLINE, async () => {
		const work = [
			read,
			callTool('Edit', { file_path: 'README.md', old_string: 'project', new_string: 'mess' }),
			bash('exit 4'),
			bash('touch refused'),
		];
		await using rig = await openClaudeRig({
			script: scriptAgents({
				main: [
					[
						callTool('Agent', {
							description: 'look',
							prompt: 'look at it',
							subagent_type: 'general-purpose',
							run_in_background: false,
						}),
					],
					[say('done')],
				],
				subagents: { 'look at it': [work, [say('seen')]] },
			}),
		});
		const { ask, events, reported, until } = rig.start({}, refuse);
		await ask('go');
		const { agentId } = await until('SubagentStop');
		const of = (hookName: string) => reported(hookName).filter((event) => event.agentId === agentId);
		expect(outcomes(events.filter((event) => event.agentId === agentId)).toSorted()).toEqual([
			'Bash failed: Exit code 4',
			'Bash failed: not today',
			'Edit returned',
			'Read returned',
			'batch of 4',
		]);
		const [looked, edited] = of('PostToolUse').map(({ payload }) => payload);
		expect(looked).toMatchObject({ tool_name: 'Read', tool_response: '1\t# A project\n2\t', duration_ms: expect.any(Number) });
		expect(edited).toMatchObject({ tool_name: 'Edit', tool_response: { structuredPatch: [expect.anything()] } });
		expect(of('PostToolBatch')[0]?.payload).toMatchObject({ agent_type: 'general-purpose' });
		const order = reported('PostToolBatch')
			.concat(reported('SubagentStop'))
			.filter((event) => event.agentId === agentId);
		expect(order.map(({ hookName }) => hookName)).toEqual(['PostToolBatch', 'SubagentStop']);
		expect(events.filter((event) => order.includes(event))).toEqual(order);
	});

	it('show an unfinished call as interrupted and a finished one as returned', DEADLINE, async () => {
		await using rig = await openClaudeRig({
			script: ({ toolResults, lastUserText }) =>
				message(
					toolResults.length === 0 && lastUserText.endsWith('go') ? [read, bash('echo on; tail -f /dev/null')] : [say('fine')],
				),
		});
		const { connection, until, ask, events, payloads } = rig.start();
		await connection.followUp(toPrompt('go'));
		await Promise.all([until('PermissionRequest'), until('PostToolUse')]);
		await connection.abort();
		await until('Stop');
		expect(outcomes(events)).toEqual(['Read returned', 'Bash failed: The turn ended before this call did.']);
		expect(payloads('PostToolUseFailure')).toMatchObject([{ is_interrupt: true }]);
		await ask('anything else');
		expect(outcomes(events)).toHaveLength(2);
	});
});
