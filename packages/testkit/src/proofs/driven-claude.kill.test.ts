// The runner of a driven Claude is killed in the middle of a turn: the next one ends leftover processes, records the interruption, and continues.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { titleOf } from '@roost/core/feed/title';
import { describe, expect, it } from 'vitest';
import { callTool, message, say } from '../fakes/model-reply.ts';
import { spokenWords } from '../fakes/model-request.ts';
import type { Script } from '../fakes/script.ts';
import { type ClaudeRig, openClaudeRig } from '../rigs/agents/claude-rig.ts';
import { findProcessesWithEnv } from '../rigs/live-processes.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import type { SessionStory } from '../rigs/runner/session-story.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const DEADLINE_MS = 180_000;
/** Besides the fixed moment: random delays between the first prompt and the kill. */
const MOMENTS = process.env.ROOST_SOAK === '1' ? Array.from({ length: 10 }, () => Math.round(Math.random() * 1_500)) : [];

describe('runner of a driven Claude', () => {
	it(
		'leaves no process and loses no prompt when killed, and the next one resumes the session',
		async () => {
			await using world = await startWorld();
			const session = await world.begin('forgotten');
			await session.until('run.end');
			await session.say('/clear');
			await session.send('work');
			await session.decide('allow');
			const [one, two] = [await session.send('one'), await session.send('two')];
			await waitFor(() => (existsSync(join(world.claude.project, 'begun')) ? true : undefined), {
				deadlineMs: DEADLINE_MS,
				what: 'the command to run',
			});
			const before = await session.row();
			expect(before.nativeIds.map(({ reason }) => reason)).toEqual(['startup', 'clear']);
			const processes = await processesOf(session);
			expect(processes.length).toBeGreaterThan(1);

			const next = await world.killAndStart(session);
			expect(await processesOf(session)).toEqual([]);
			expect(await next.row()).toMatchObject({ status: 'interrupted', nativeIds: before.nativeIds, prompts: 2 });
			expect((await next.until('run.end', 3)).data).toMatchObject({
				status: 'aborted',
				reason: 'the runner ended while its agent worked',
			});
			expect(unwrap(await world.runner.api.queue.list({ id: session.id })).map(({ id }) => id)).toEqual([one, two]);

			await next.send('three');
			await next.until('run.end', 6);
			await world.expectWholeRecord(next, ['forgotten', '/clear', 'work', 'one', 'two', 'three']);
			expect(await next.row()).toMatchObject({ status: 'idle', nativeIds: before.nativeIds });
			const last = world.claude.requests.at(-1);
			const words = last ? spokenWords(last).join('\n') : '';
			// The newest conversation continued, not the one before the clear.
			const counted = ['forgotten', 'work', 'one', 'two', 'three'].map(
				(word) => words.split('\n').filter((line) => line === word).length,
			);
			expect(counted).toEqual([0, 1, 1, 1, 1]);
		},
		DEADLINE_MS,
	);

	it(
		'ends agents and their commands on SIGTERM or session end, even if the agent hangs',
		async () => {
			await using world = await startWorld();
			const [ended, left] = [await world.begin('work'), await world.begin('wait')];
			for (const session of [ended, left]) {
				await session.decide('allow');
				await waitFor(async () => ((await processesOf(session)).length > 1 ? true : undefined), {
					deadlineMs: DEADLINE_MS,
					what: 'the command to run',
				});
			}
			process.kill(await world.runner.agentPid(ended.id), 'SIGSTOP');
			await ended.end();
			expect(await processesOf(ended)).toEqual([]);
			expect((await processesOf(left)).length).toBeGreaterThan(1);
			world.runner.program.signal('SIGTERM');
			await waitFor(() => isGone(left), {
				deadlineMs: DEADLINE_MS,
				what: 'the agents to be gone',
				seen: () => processesOf(left),
			});
		},
		2 * DEADLINE_MS,
	);

	it.each(MOMENTS)(
		'loses nothing and sends nothing twice, killed %d ms after the first prompt',
		async (ms) => {
			await using world = await startWorld();
			const session = await world.begin('speak');
			await session.send('one');
			await delay(ms);
			const next = await world.killAndStart(session);
			expect(await processesOf(session)).toEqual([]);
			await next.send('two');
			const seen = async () => [
				await next.row(),
				...(await next.facts()).map(({ kind, data }) => `${kind}: ${titleOf(kind, data)}`),
			];
			const hasArrived = async () =>
				(await next.of('user.prompt')).some(({ data }) => data.prompt === 'two') ? true : undefined;
			await waitFor(hasArrived, { what: 'the last prompt to arrive', seen });
			const isDone = async () => ((await next.row()).status === 'idle' ? true : undefined);
			await waitFor(isDone, { what: 'the session to be done', seen });
			await world.expectWholeRecord(next, ['speak', 'one', 'two']);
		},
		DEADLINE_MS,
	);
});

const processesOf = ({ id }: SessionStory) => findProcessesWithEnv(`ROOST_SESSION=${id}`);

async function isGone(session: SessionStory): Promise<true | undefined> {
	return (await processesOf(session)).length === 0 ? true : undefined;
}

type World = AsyncDisposable & {
	readonly claude: ClaudeRig;
	readonly runner: RunnerProcess;
	begin(prompt: string): Promise<SessionStory>;
	/** The same session on the next runner. */
	killAndStart(session: SessionStory): Promise<SessionStory>;
	/** Each prompt arrived once, as an event or in the conversation, and the record is intact. */
	expectWholeRecord(session: SessionStory, prompts: readonly string[]): Promise<void>;
};

async function startWorld(): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const claude = stack.use(await openClaudeRig({ script: answer }));
	const config = { agents: { claude: { command: [claude.program] } } };
	const runner = stack.use(await startRunnerProcess({ rig: claude, agent: 'claude', config }));
	const owned = stack.move();
	return {
		claude,
		runner,
		begin: (prompt) => runner.start({ prompt }),
		async killAndStart({ id }) {
			await runner.kill();
			await runner.restart();
			return runner.find(id);
		},
		async expectWholeRecord(session, prompts) {
			const arrived = (await session.facts()).flatMap((fact) => {
				if (fact.kind === 'user.prompt') return [fact.data.prompt_id];
				return fact.kind === 'prompt.update' && fact.data.state === 'arrived' ? [fact.data.prompt_id] : [];
			});
			const queued = (await session.of('prompt.update')).filter(({ data }) => data.state === 'queued');
			expect(queued.map(({ data }) => data.text)).toEqual(prompts);
			expect(arrived).toEqual(queued.map(({ data }) => data.prompt_id));
			expect(await runner.roost('verify')).toMatchObject({ code: 0 });
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const answer: Script = ({ lastUserText, toolResults }) => {
	// The first command leaves the process tree of its parent.
	const command = '(setsid sleep 300 &) ; touch begun; sleep 300';
	if (lastUserText.endsWith('work') && toolResults.length === 0)
		return message([callTool('Bash', { command, description: 'work' })]);
	if (lastUserText === 'wait') return message([callTool('Bash', { command: 'touch waits; sleep 300', description: 'wait' })]);
	return message([say('so ', 'be ', 'it')], lastUserText === 'speak' ? { pace: { delayMs: 300 } } : {});
};
