// The real Codex at Roost's gate: each call asks once, and is allowed, denied, edited or answered; and which calls ask in each permission mode.

import { existsSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFeedMapper } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Verdict } from '@roost/protocol/ask';
import { sessionId } from '@roost/protocol/ids';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import type { Script } from '@roost/testkit/fakes/script';
import { codexWords, openCodexRig, toPatch } from '@roost/testkit/rigs/agents/codex-rig';
import { ALLOW, allowAll, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { describe, expect, it } from 'vitest';

const touch = (file: string) => codexWords.shell(`touch ${file}`);

/** Makes the calls that the prompt names, then says "done". */
const call =
	(turns: Readonly<Record<string, readonly Block[]>>): Script =>
	({ toolResults, lastUserText }: ModelRequest) =>
		message(toolResults.length === 0 ? (turns[lastUserText] ?? [say('Hello')]) : [say('done')]);

/** Decides calls by a word in their payload; allows all other permission requests. */
function decide(by: Readonly<Record<string, { at: string; verdict: Verdict }>>): TestGate {
	return (event) => {
		const text = JSON.stringify(event.payload);
		const found = Object.entries(by).find(([word, { at }]) => text.includes(word) && at === event.hookName);
		return found ? { verdict: found[1].verdict, source: 'user' } : allowAll(event);
	};
}

const asked = (events: readonly RuntimeEvent[], word: string) =>
	events
		.filter(({ interaction, payload }) => interaction.expectsDecision && JSON.stringify(payload).includes(word))
		.map(({ hookName }) => hookName);

describe('real Codex at the gate', () => {
	it('asks about each call once and follows the decision', async () => {
		const patch = toPatch([
			{ add: 'new.txt', text: 'hello\n' },
			{ update: 'README.md', from: '# A project', to: '# Another' },
		]);
		const turns = {
			command: [touch('plain')],
			announced: [touch('announced')],
			forbidden: [codexWords.shell('cat README.md # forbidden')],
			refused: [touch('refused')],
			changed: [touch('changed')],
			patch: [callTool('apply_patch', { input: patch })],
			'refused patch': [codexWords.write('refused.txt', 'x\n')],
			'edited patch': [codexWords.write('other.txt', 'x\n')],
			failing: [codexWords.shell('echo oops; exit 3')],
			question: [codexWords.question('Which colour?', ['Red', 'Blue']) ?? say('')],
			halt: [touch('halt')],
		};
		await using rig = await openCodexRig({ script: call(turns) });
		const { ask, events, reported, payloads } = rig.start(
			{},
			decide({
				announced: { verdict: { type: 'allow', updatedInput: { command: 'touch announced-2' } }, at: 'PreToolUse' },
				forbidden: { verdict: { type: 'deny', message: 'the rule says no' }, at: 'PreToolUse' },
				'touch refused': { verdict: { type: 'deny', message: 'not on my watch' }, at: 'PermissionRequest' },
				changed: { verdict: { type: 'allow', updatedInput: { command: 'touch changed-2' } }, at: 'PermissionRequest' },
				'refused.txt': { verdict: { type: 'deny', message: 'no such file' }, at: 'PermissionRequest' },
				'other.txt': { verdict: { type: 'allow', updatedInput: { file_path: 'b' } }, at: 'PermissionRequest' },
				'Which colour?': { verdict: { type: 'answer', answers: { 'Which colour?': 'Blue' } }, at: 'PermissionRequest' },
				'touch halt': { verdict: { type: 'deny', message: 'stop it', interrupt: true }, at: 'PermissionRequest' },
			}),
		);
		const has = (...files: string[]) => files.map((file) => existsSync(join(rig.project, file)));
		const results = () => JSON.stringify(rig.requests.at(-1)?.toolResults);

		await ask('command');
		expect(has('plain')).toEqual([true]);
		expect(asked(events, 'touch plain')).toEqual(['PreToolUse', 'PermissionRequest']);
		expect(reported('PermissionRequest')[0]?.toolUseId).toBe(reported('PreToolUse')[0]?.toolUseId);

		await ask('announced');
		expect(has('announced', 'announced-2')).toEqual([false, true]);
		expect(asked(events, 'touch announced')).toEqual(['PreToolUse']);
		expect(payloads('PostToolUse').at(-1)).toMatchObject({ tool_input: { command: 'touch announced-2' } });

		await ask('forbidden');
		expect(results()).toContain('the rule says no');
		await ask('refused');
		expect(results()).toContain('not on my watch');
		expect(has('refused')).toEqual([false]);
		await ask('changed');
		expect(has('changed', 'changed-2')).toEqual([false, true]);

		await ask('patch');
		expect(has('new.txt')).toEqual([true]);
		expect(asked(events, 'new.txt')).toEqual(['PreToolUse', 'PermissionRequest']);
		const file = (name: string) => expect.objectContaining({ file_path: join(rig.project, name) });
		expect(payloads('PostToolUse').slice(-2)).toEqual([
			expect.objectContaining({ tool_name: 'Edit', tool_input: file('README.md'), native_tool_name: 'apply_patch' }),
			expect.objectContaining({ tool_name: 'Write', tool_input: file('new.txt') }),
		]);
		await ask('refused patch');
		expect(results()).toContain('no such file');
		await ask('edited patch');
		expect(results()).toContain('Codex takes no edited patch');
		expect(has('refused.txt', 'other.txt')).toEqual([false, false]);

		await ask('failing');
		expect(payloads('PostToolUseFailure')).toMatchObject([{ error: 'Exit code 3\noops\n', is_interrupt: false }]);
		await ask('question');
		expect(results()).toContain('Blue');

		expect((await ask('halt')).payload).toMatchObject({ interrupted: true });
		expect(has('halt')).toEqual([false]);
		expect((await ask('anything else')).hookName).toBe('Stop');
		expect(reported('RuntimeError')).toEqual([]);

		const mapper = createFeedMapper(sessionId.parse('s'));
		const kinds = events.flatMap((event) => mapper.mapEvent(event)).map(({ kind }) => kind);
		const count = (kind: string) => kinds.filter((each) => each === kind).length;
		expect([count('run.start'), count('run.end'), count('user.prompt'), count('unknown.hook')]).toEqual([12, 12, 12, 0]);
	}, 120_000);

	it('applies its permission mode only after consulting the gate', async () => {
		const turns = {
			planned: [touch('planned')],
			edit: [codexWords.write('edited', 'x\n')],
			outside: [codexWords.write('../outside', 'x\n')],
			unasked: [touch('unasked')],
			bypassed: [touch('bypassed')],
			forbidden: [touch('forbidden')],
		};
		await using rig = await openCodexRig({ script: call(turns) });
		const noRule: TestGate = (event) => {
			if (event.hookName === 'PreToolUse')
				return JSON.stringify(event.payload).includes('touch forbidden')
					? { verdict: { type: 'deny', message: 'never' }, source: 'rule', reason: 'never' }
					: NO_OPINION;
			const deny = { type: 'deny', message: 'no rule allows this' } as const;
			return event.context.permissionMode === 'dontAsk' ? { verdict: deny, source: 'system' } : ALLOW;
		};
		const { ask, events, connection } = rig.start({ permissionMode: 'plan' }, noRule);
		const has = (file: string) => existsSync(join(rig.project, file));
		const change = (mode: string) => connection.control({ type: 'permission-mode', mode });

		await ask('planned');
		expect(has('planned')).toBe(false);
		expect(JSON.stringify(rig.requests.at(-1)?.toolResults)).toContain('In plan mode nothing is executed');
		await change('acceptEdits');
		await ask('edit');
		await ask('outside');
		expect([has('edited'), has('../outside')]).toEqual([true, true]);
		expect([asked(events, '/edited'), asked(events, '/outside')]).toEqual([['PreToolUse'], ['PreToolUse', 'PermissionRequest']]);
		await change('dontAsk');
		await ask('unasked');
		expect(has('unasked')).toBe(false);
		await change('bypassPermissions');
		await ask('bypassed');
		await ask('forbidden');
		expect([has('bypassed'), has('forbidden')]).toEqual([true, false]);
		expect(asked(events, 'touch bypassed')).toEqual(['PreToolUse']);
	}, 120_000);

	it('gates calls of model-written programs and subagents, and blocks typing into running commands', async () => {
		const js = (code: string) => callTool('exec', { input: code });
		const typed = js(
			'const r = await tools.exec_command({cmd: "bash", tty: true}); await tools.write_stdin({session_id: r.session_id, chars: "touch typed\\n"})',
		);
		const piped = js(
			'const r = await tools.exec_command({cmd: "bash"}); await tools.write_stdin({session_id: r.session_id, chars: "touch typed\\n"})',
		);
		const turns: Record<string, Block> = {
			program: js('text(await tools.exec_command({cmd: "touch program"}))'),
			refused: js('text(await tools.exec_command({cmd: "touch refused"}))'),
			typed,
			piped,
			subagent: callTool('spawn_agent', { message: 'make it', task_name: 'maker' }),
		};
		let hasActed = false;
		const script: Script = ({ agent, toolResults, lastUserText }) => {
			if (agent === 'subagent' && !hasActed) {
				hasActed = true;
				return message([js('text(await tools.exec_command({cmd: "touch by-subagent"}))')]);
			}
			const turn = toolResults.length === 0 ? turns[lastUserText] : undefined;
			return message([turn ?? say('done')]);
		};
		await using rig = await openCodexRig({ script });
		const { ask, events, payloads, until } = rig.start(
			{ model: 'gpt-6-sol' },
			decide({ 'touch refused': { verdict: { type: 'deny', message: 'no' }, at: 'PermissionRequest' } }),
		);
		const has = (file: string) => existsSync(join(rig.project, file));
		await ask('program');
		await ask('refused');
		await ask('typed');
		await ask('piped');
		expect([has('program'), has('refused'), has('typed')]).toEqual([true, false, false]);
		expect(asked(events, 'touch program')).toEqual(['PreToolUse', 'PermissionRequest']);
		await ask('subagent');
		await until('SubagentStop');
		expect(has('by-subagent')).toBe(true);
		const agent_id = events.find(({ hookName }) => hookName === 'SubagentStart')?.agentId;
		expect(agent_id).toBeTypeOf('string');
		expect(payloads('PermissionRequest').at(-1)).toMatchObject({ agent_id, tool_input: { command: 'touch by-subagent' } });
	}, 120_000);

	it("gates tools of the user's own MCP servers and runs them with edited input", async () => {
		const turns: Record<string, string> = {
			allowed: 'text(await tools.mcp__own__echo({text: "first"}))',
			refused: 'text(await tools.mcp__own__echo({text: "second"}))',
			edited: 'text(await tools.mcp__own__echo({text: "third"}))',
		};
		const script: Script = ({ toolResults, lastUserText }) => {
			const code = toolResults.length === 0 ? turns[lastUserText] : undefined;
			return message([code === undefined ? say('done') : callTool('exec', { input: code })]);
		};
		await using rig = await openCodexRig({ script });
		const server = join(rig.home, 'server.mjs');
		await writeFile(server, MCP_SERVER);
		await appendFile(
			join(rig.configDir, 'config.toml'),
			`\n[mcp_servers.own]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(server)}]\n`,
		);
		const { ask, events, payloads } = rig.start(
			{ model: 'gpt-6-sol' },
			decide({
				second: { verdict: { type: 'deny', message: 'not this one' }, at: 'PermissionRequest' },
				third: { verdict: { type: 'allow', updatedInput: { text: 'fourth' } }, at: 'PermissionRequest' },
			}),
		);
		const results = () => JSON.stringify(rig.requests.at(-1)?.toolResults);
		await ask('allowed');
		expect(results()).toContain('heard first');
		expect(asked(events, 'first')).toEqual(['PreToolUse', 'PermissionRequest']);
		expect(payloads('PostToolUse')).toMatchObject([{ tool_name: 'mcp__own__echo', tool_input: { text: 'first' } }]);
		await ask('refused');
		expect(results()).toContain('not this one');
		await ask('edited');
		expect(results()).toContain('heard fourth');
	}, 120_000);
});

/** A server with one tool that echoes its input. */
const MCP_SERVER = `
import { createInterface } from 'node:readline';
const tools = [{ name: 'echo', description: 'says it', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	const results = {
		initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } }),
		'tools/list': () => ({ tools }),
		'tools/call': () => ({ content: [{ type: 'text', text: 'heard ' + params.arguments.text }] }),
	};
	process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.() ?? {} }) + '\\n');
});
`;
