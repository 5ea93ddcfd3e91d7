// The real Claude at Roost's gate: each call asks once, and is allowed, denied, edited or answered; and which calls ask in each permission mode.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createFeedMapper } from '@roost/core/feed/mapper';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Verdict } from '@roost/protocol/ask';
import { sessionId } from '@roost/protocol/ids';
import { type Block, callTool, message, say } from '@roost/testkit/fakes/model-reply';
import type { ModelRequest } from '@roost/testkit/fakes/model-request';
import type { Script } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { ALLOW, allowAll, NO_OPINION, type TestGate } from '@roost/testkit/rigs/agents/driven-story';
import { COLOURS } from '@roost/testkit/samples/colours';
import { describe, expect, it } from 'vitest';

const touch = (file: string) => callTool('Bash', { command: `touch ${file}`, description: 'make a file' });
const write = (file: string) => callTool('Write', { file_path: file, content: 'x' });

/** Makes the calls that the prompt names, then says "done". */
const call =
	(turns: Readonly<Record<string, readonly Block[]>>): Script =>
	({ toolResults, lastUserText }: ModelRequest) => {
		const name = Object.keys(turns).find((each) => lastUserText.endsWith(each));
		return message(toolResults.length === 0 && name !== undefined ? (turns[name] ?? []) : [say('done')]);
	};

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

describe('real Claude at the gate', () => {
	it('requests each decision once and follows it', async () => {
		const turns = {
			parallel: [touch('left'), touch('right')],
			announced: [touch('announced')],
			forbidden: [touch('forbidden')],
			refused: [touch('refused')],
			changed: [touch('changed')],
			question: [callTool('AskUserQuestion', { questions: COLOURS })],
			halt: [touch('halt')],
		};
		await using rig = await openClaudeRig({ script: call(turns) });
		const claude = rig;
		const edited = (file: string) => ({ command: `touch ${file}`, description: 'another file' });
		const { ask, events, reported, payloads } = rig.start(
			{},
			decide({
				announced: { verdict: { type: 'allow', updatedInput: edited('announced-2') }, at: 'PreToolUse' },
				forbidden: { verdict: { type: 'deny', message: 'the rule says no' }, at: 'PreToolUse' },
				refused: { verdict: { type: 'deny', message: 'not on my watch' }, at: 'PermissionRequest' },
				changed: { verdict: { type: 'allow', updatedInput: edited('changed-2') }, at: 'PermissionRequest' },
				'Which colour?': { verdict: { type: 'answer', answers: { 'Which colour?': 'Blue' } }, at: 'PermissionRequest' },
				halt: { verdict: { type: 'deny', message: 'stop it', interrupt: true }, at: 'PermissionRequest' },
			}),
		);
		const has = (file: string) => existsSync(join(claude.project, file));
		const results = () => JSON.stringify(claude.requests.at(-1)?.toolResults);

		await ask('parallel');
		expect([has('left'), has('right')]).toEqual([true, true]);
		expect(asked(events, 'touch left')).toEqual(['PreToolUse', 'PermissionRequest']);
		const [request] = reported('PermissionRequest');
		expect(request?.toolUseId).toBe(reported('PreToolUse')[0]?.toolUseId);
		expect(request?.payload).toMatchObject({
			permission_suggestions: expect.arrayContaining([expect.objectContaining({ type: 'addRules' })]),
		});

		await ask('announced');
		expect([has('announced'), has('announced-2')]).toEqual([false, true]);
		expect(asked(events, 'touch announced')).toEqual(['PreToolUse']);

		await ask('forbidden');
		expect(results()).toContain('the rule says no');
		await ask('refused');
		expect(results()).toContain('not on my watch');
		expect([has('forbidden'), has('refused')]).toEqual([false, false]);

		await ask('changed');
		expect([has('changed'), has('changed-2')]).toEqual([false, true]);
		expect(payloads('PostToolUse').at(-1)).toMatchObject({ tool_input: edited('changed-2') });

		await ask('question');
		expect(results()).toContain('Blue');

		expect((await ask('halt')).payload).toMatchObject({ interrupted: true });
		expect(payloads('PostToolUseFailure')).toMatchObject([{ tool_input: { command: 'touch halt' }, is_interrupt: true }]);
		expect((await ask('anything else')).hookName).toBe('Stop');
		expect(reported('PreToolUse')).toHaveLength(8);
		expect(reported('PostToolUse')).toHaveLength(5);

		const mapper = createFeedMapper(sessionId.parse('s'));
		const kinds = events.flatMap((event) => mapper.mapEvent(event)).map(({ kind }) => kind);
		const count = (kind: string) => kinds.filter((each) => each === kind).length;
		expect([count('run.start'), count('run.end'), count('user.prompt'), count('unknown.hook')]).toEqual([8, 8, 8, 0]);
		expect(count('agent.message')).toBe(7);
	}, 120_000);

	it('passes the gate first in each permission mode, then follows the mode', async () => {
		const turns = {
			planned: [write('planned')],
			'planned command': [touch('planned-2')],
			edit: [write('edited')],
			command: [callTool('Bash', { command: 'npm -v', description: 'x' })],
			unasked: [touch('unasked')],
			bypassed: [touch('bypassed')],
			forbidden: [touch('forbidden')],
		};
		await using rig = await openClaudeRig({ script: call(turns), env: { IS_SANDBOX: '1' } });
		const noRule: TestGate = (event) => {
			const text = JSON.stringify(event.payload);
			if (event.hookName === 'PreToolUse') {
				if (text.includes('touch forbidden'))
					return { verdict: { type: 'deny', message: 'never' }, source: 'rule', reason: 'never' };
				return text.includes('touch planned-2') ? ALLOW : NO_OPINION;
			}
			const deny = { type: 'deny', message: 'no rule allows this' } as const;
			return event.context.permissionMode === 'dontAsk' ? { verdict: deny, source: 'system' } : ALLOW;
		};
		const { ask, events, connection } = rig.start({ permissionMode: 'plan' }, noRule);
		const has = (file: string) => existsSync(join(rig.project, file));
		const change = (mode: string) => connection.control({ type: 'permission-mode', mode });

		await ask('planned');
		await ask('planned command');
		expect([has('planned'), has('planned-2')]).toEqual([false, false]);
		expect(asked(events, 'planned')).toEqual(['PreToolUse', 'PreToolUse']);
		expect(JSON.stringify(rig.requests.at(-1)?.toolResults)).toContain('In plan mode nothing is executed');

		await change('acceptEdits');
		await ask('edit');
		expect(has('edited')).toBe(true);
		expect(asked(events, 'edited')).toEqual(['PreToolUse']);
		await ask('command');
		expect(asked(events, 'npm -v')).toEqual(['PreToolUse', 'PermissionRequest']);

		await change('dontAsk');
		await ask('unasked');
		expect(has('unasked')).toBe(false);
		expect(asked(events, 'touch unasked')).toEqual(['PreToolUse', 'PermissionRequest']);

		await change('bypassPermissions');
		await ask('bypassed');
		await ask('forbidden');
		expect([has('bypassed'), has('forbidden')]).toEqual([true, false]);
		expect(asked(events, 'touch bypassed')).toEqual(['PreToolUse']);
		expect(asked(events, 'touch forbidden')).toEqual(['PreToolUse']);
	}, 120_000);

	it('starts in bypassPermissions mode in a sandbox and uses only the allowed tools', async () => {
		const turns = { go: [touch('made'), callTool('Read', { file_path: 'README.md' })] };
		await using rig = await openClaudeRig({ script: call(turns), env: { IS_SANDBOX: '1' } });
		const free = rig.start({ permissionMode: 'bypassPermissions' });
		const bound = rig.start({ permissionMode: 'bypassPermissions', allowedTools: ['Read'] });
		await Promise.all([free.ask('go'), bound.ask('go')]);
		expect(free.reported('PermissionRequest')).toEqual([]);
		expect(free.reported('PostToolUse').map(({ toolName }) => toolName)).toEqual(['Bash', 'Read']);
		expect(bound.reported('PostToolUse').map(({ toolName }) => toolName)).toEqual(['Read']);
		expect(free.events[0]?.sessionId).not.toBe(bound.events[0]?.sessionId);
	}, 120_000);
});
