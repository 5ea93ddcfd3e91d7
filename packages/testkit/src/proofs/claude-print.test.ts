// The feed of the real claude, run headless against a scripted model.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import type { StoredLine } from '@roost/protocol/stored-line';
import { describe, expect, it } from 'vitest';
import { apiError, callTool, say } from '../fakes/model-reply.ts';
import { type Script, scriptAgents, scriptTurns } from '../fakes/script.ts';
import { type ObservedClaude, type ObservedOptions, openObservedClaude } from '../rigs/agents/observed-claude.ts';
import { goldenText, inCallOrder, toGoldenFeed } from '../rigs/record/feed-golden.ts';
import { waitFor } from '../rigs/wait-for.ts';

const TOUCH = { command: 'touch made.txt', description: 'Make a file' };

describe('feed of the real headless claude', () => {
	it('shows a plain answer', async () => {
		await using claude = await govern({ script: scriptTurns([say('Hello there.')]) });
		expect(await run(claude)).toMatchObject({ code: 0, stdout: 'Hello there.\n' });
		await expectGolden(claude, 'plain-answer');
	});

	it('shows a call that a rule allows', async () => {
		await using claude = await govern({
			script: scriptTurns([callTool('Bash', TOUCH)], [say('Done.')]),
			rules: [rule('allow', 'touch *')],
		});
		expect(await run(claude)).toMatchObject({ code: 0 });
		expect(existsSync(join(claude.claude.project, 'made.txt'))).toBe(true);
		await expectGolden(claude, 'allowed-by-rule');
	});

	it('shows a call that a rule denies, and the model gets the reason', async () => {
		await using claude = await govern({
			script: scriptTurns([callTool('Bash', TOUCH)], [say('Then not.')]),
			rules: [rule('deny', 'touch *')],
		});
		await run(claude);
		expect(existsSync(join(claude.claude.project, 'made.txt'))).toBe(false);
		expect(lastToolResult(claude)).toContain('rule r1');
		await expectGolden(claude, 'denied-by-rule');
	});

	it('shows a call that was allowed while it was pending', async () => {
		await using claude = await govern({ script: scriptTurns([callTool('Bash', TOUCH)], [say('Done.')]) });
		const running = run(claude);
		const ask = await waitFor(() => claude.engine.asks.list({})[0], { what: 'the ask' });
		expect(ask).toMatchObject({ kind: 'permission', tool: 'Bash', state: 'pending', reason: 'no rule matched' });
		expect(existsSync(join(claude.claude.project, 'made.txt'))).toBe(false);
		expect(await claude.engine.answer(ask.id, { type: 'allow' }, { name: 'lea', face: 'test' })).toMatchObject({ ok: true });
		expect(await running).toMatchObject({ code: 0 });
		expect(existsSync(join(claude.claude.project, 'made.txt'))).toBe(true);
		await expectGolden(claude, 'asked-and-allowed');
	});

	it('applies the edited input of an approval', async () => {
		await using claude = await govern({ script: scriptTurns([callTool('Bash', TOUCH)], [say('Done.')]) });
		const running = run(claude);
		const ask = await waitFor(() => claude.engine.asks.list({})[0], { what: 'the ask' });
		await claude.engine.answer(
			ask.id,
			{ type: 'allow', updatedInput: { command: 'touch other.txt' } },
			{ name: 'lea', face: 'test' },
		);
		await running;
		expect(existsSync(join(claude.claude.project, 'other.txt'))).toBe(true);
		expect(existsSync(join(claude.claude.project, 'made.txt'))).toBe(false);
	});

	it('shows a denied call, and the model gets the message of the denial', async () => {
		await using claude = await govern({ script: scriptTurns([callTool('Bash', TOUCH)], [say('I see.')]) });
		const running = run(claude);
		const ask = await waitFor(() => claude.engine.asks.list({})[0], { what: 'the ask' });
		await claude.engine.answer(ask.id, { type: 'deny', message: 'use the scratch folder' }, { name: 'lea', face: 'test' });
		await running;
		expect(lastToolResult(claude)).toContain('use the scratch folder');
		await expectGolden(claude, 'asked-and-denied');
	});

	it('shows a call whose ask timed out, and claude decides on its own', async () => {
		await using claude = await govern({
			script: scriptTurns([callTool('Bash', TOUCH)], [say('Not allowed.')]),
			askTimeoutMs: 200,
		});
		await run(claude);
		expect(existsSync(join(claude.claude.project, 'made.txt'))).toBe(false);
		await expectGolden(claude, 'nobody-answers');
	});

	it('shows Write and Edit', async () => {
		const script: Script = (request) => {
			const turns = [
				[callTool('Write', { file_path: join(project(), 'new.txt'), content: 'one\n' })],
				[callTool('Edit', { file_path: join(project(), 'new.txt'), old_string: 'one', new_string: 'two' })],
				[say('Written and edited.')],
			];
			return scriptTurns(...turns.slice(request.messages.filter((message) => message.role === 'assistant').length))(request);
		};
		const project = () => claude.claude.project;
		await using claude = await govern({ script, rules: [rule('allow', undefined, 'Write'), rule('allow', undefined, 'Edit')] });
		expect(await run(claude)).toMatchObject({ code: 0 });
		expect(readFileSync(join(project(), 'new.txt'), 'utf8')).toBe('two\n');
		await expectGolden(claude, 'write-and-edit');
	});

	it('shows a tool that fails', async () => {
		const failing = { command: 'echo out; echo err >&2; exit 3', description: 'Fail' };
		await using claude = await govern({
			script: scriptTurns([callTool('Bash', failing)], [say('It failed.')]),
			rules: [rule('allow')],
		});
		await run(claude);
		await expectGolden(claude, 'failing-tool');
	});

	it('shows tools that run in parallel', async () => {
		const script = scriptTurns(
			[callTool('Bash', { command: 'echo one' }), callTool('Bash', { command: 'echo two' })],
			[say('Both.')],
		);
		await using claude = await govern({ script, rules: [rule('allow')] });
		await run(claude);
		await expectGolden(claude, 'parallel-tools', inCallOrder);
	});

	it('shows a subagent with its own tools', async () => {
		const script = scriptAgents({
			main: [
				[
					callTool('Agent', {
						description: 'Look around',
						prompt: 'SCOUT: what is here?',
						subagent_type: 'general-purpose',
						run_in_background: false,
					}),
				],
				[say('The scout is back.')],
			],
			subagents: { SCOUT: [[callTool('Bash', { command: 'echo from-the-subagent' })], [say('Nothing here.')]] },
		});
		await using claude = await govern({ script, rules: [rule('allow')] });
		await run(claude);
		await expectGolden(claude, 'subagent');
	});

	it('shows the end of a background task as a notice, not as a user prompt', async () => {
		const waiting = { command: 'until [ -e go ]; do sleep 0.05; done', run_in_background: true };
		await using claude = await govern({
			script: scriptTurns([callTool('Bash', waiting)], [say('It runs.')], [say('It ended.')]),
			rules: [rule('allow')],
		});
		const running = run(claude);
		const stopped = async () => (await claude.feed()).some(({ event }) => event.kind === 'stop.request') || undefined;
		await waitFor(stopped, { what: 'the stop' });
		await writeFile(join(claude.claude.project, 'go'), '');
		expect(await running).toMatchObject({ code: 0 });
		await expectGolden(claude, 'background-task');
	});

	it('shows an API error', async () => {
		await using claude = await govern({ script: () => apiError(400, 'invalid_request_error', 'fake bad request') });
		expect(await run(claude)).toMatchObject({ code: 1 });
		await expectGolden(claude, 'api-error');
	});

	it('shows the same through the forwarder, for versions without HTTP hooks', async () => {
		await using claude = await govern({
			script: scriptTurns([callTool('Bash', TOUCH)], [say('Done.')]),
			rules: [rule('allow', 'touch *')],
			transport: 'command',
		});
		expect(await run(claude)).toMatchObject({ code: 0 });
		await expectGolden(claude, 'allowed-by-rule');
	});
});

function govern(options: ObservedOptions): Promise<ObservedClaude> {
	return openObservedClaude(options);
}

function run(claude: ObservedClaude) {
	return claude.claude.run(['-p', '--permission-mode', 'manual', 'do it'], {
		settings: claude.settings,
		env: claude.env,
	});
}

async function expectGolden(claude: ObservedClaude, name: string, order = (lines: StoredLine[]) => lines): Promise<void> {
	const actual = toGoldenFeed(order(await claude.feed()), claude.claude.project);
	expect(actual).toBe(goldenText(join(import.meta.dirname, '..', '..', 'golden', 'claude', `${name}.txt`), actual));
	expect(claude.store.verify()).toMatchObject({ value: { intact: true } });
	expect(claude.store.verifyTables()).toMatchObject({ value: [] });
}

function lastToolResult(claude: ObservedClaude): string {
	return JSON.stringify(claude.claude.requests.at(-1)?.toolResults ?? '');
}

function rule(decision: Rule['decision'], argsPattern?: string, tool = 'Bash'): Rule {
	return { id: ruleId.parse('r1'), tool, argsPattern, decision, scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 0 };
}
