// A conversation of the real claude without Roost is resumed as a driven session.
import { join } from 'node:path';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { projectId } from '@roost/protocol/ids';
import { say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { openClaudeTerminal } from '@roost/testkit/rigs/agents/claude-terminal';
import { callAs } from '@roost/testkit/rigs/api/test-backend';
import { createTmuxRig } from '@roost/testkit/rigs/terminal/tmux-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openRunner } from '../open-runner.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000b';

describe('past session of the real claude', () => {
	it('resumes with its whole history under its own id once no terminal has it open', { timeout: 120_000 }, async () => {
		await using claude = await openClaudeRig({ script: scriptTurns([say('Hello, Ada.')], [say('You are Ada.')]) });
		await claude.run(['-p', `--session-id=${NATIVE}`, 'I am Ada.'], { timeoutMs: 60_000 });
		await using runner = unwrap(
			await openRunner({
				env: { ...claude.env, ROOST_HOME: join(claude.home, 'roost'), ROOST_PORT: '0' },
				flags: {},
				journal: { log: () => {}, hide: () => {} },
				warn: (sentence) => expect.fail(sentence),
			}),
		);
		const events: FeedEvent[] = [];
		runner.engine.onUpdate((reported) => events.push(...reported.events));
		const request = { projectId: projectId.parse(claude.project), agent: 'claude', prompt: 'Who am I?' };
		const resume = () => runner.driving.create({ ...request, resume: { nativeId: NATIVE } });
		{
			await using tmux = await createTmuxRig();
			const user = await openClaudeTerminal(claude, tmux, { args: ['--permission-mode', 'manual', `--resume=${NATIVE}`] });
			expect(await resume()).toMatchObject({
				error: {
					code: 'conflict',
					message: `This past session is open in another claude, process ${user.terminal.pid}: end that one first.`,
				},
			});
		}
		const { sessionId } = unwrap(await resume());
		const end = () => events.find(({ kind }) => kind === 'run.end');
		await waitFor(end, { what: 'the end of the run', seen: () => events.map(({ kind }) => kind) });
		expect(events.flatMap((event) => (event.kind === 'agent.message' ? [event.data.text] : []))).toEqual(['You are Ada.']);
		expect(JSON.stringify(claude.requests.at(-1)?.body)).toMatch(/I am Ada\..*Hello, Ada\..*Who am I\?/);
		const row = unwrap(await runner.backend.record.session({ id: sessionId }, callAs()));
		expect(row).toMatchObject({ driven: true, nativeIds: [{ id: NATIVE, reason: 'resume' }] });
		// Usage from before the session was recorded does not count.
		expect(unwrap(await runner.backend.record.usage({ by: 'day' }, callAs())).total.tokens.input_tokens).toBe(100);
	});
});
