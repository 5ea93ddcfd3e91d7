// What a driven agent reports about a faulty program: one sentence each, and nothing waits forever. Small programs stand in for
// the agent; their protocol is up to the agent's own test.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Timers } from '@roost/machine/timers';
import { allowAll, type DrivenStory, listenTo } from '@roost/testkit/rigs/agents/driven-story';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

export type FailingAgent = {
	readonly title: string;
	open(program: StandIn): DrivableAgent;
	/** A Node program that behaves like this agent until it gets a prompt, and then runs `whenPrompted()`. */
	readonly pretender: string;
	/** A program that behaves like an unsupported old version. */
	readonly tooOld: string;
	/** Whether Roost parses its lines itself, and so reports invalid ones. */
	readonly reportsGarbage: boolean;
	/** The expected message for each failure. */
	readonly says: Readonly<Record<Failure, RegExp>>;
};

export type StandIn = {
	readonly command: readonly [string, ...string[]];
	readonly env: Readonly<Record<string, string>>;
	/** A temporary folder. */
	readonly dir: string;
	readonly timers?: Timers;
	readonly now?: () => number;
};

export type Failure = 'missing' | 'another' | 'too old' | 'crashes' | 'garbage' | 'hangs' | 'ends in mid-turn';

const ANOTHER = ['/bin/sh', '-c', 'echo hello'] as const;
const CRASHES = `process.stderr.write('cannot open the database\\n'); process.exitCode = 7;`;
const HANGS = `process.stdin.on('end', () => process.exit()).resume();`;
const BABBLES = `${HANGS} setInterval(() => process.stdout.write('%%%\\n'), 1);`;
const DIES = `function whenPrompted() { process.stderr.write('Killed by a bug\\n', () => process.exit(7)); }`;
const DEADLINE_MS = 120_000;

export function describeFailures(agent: FailingAgent): void {
	const { title, says, tooOld, reportsGarbage } = agent;
	const timeout = { timeout: DEADLINE_MS * 2 };

	describe(`${title} failures`, () => {
		it('reports a missing program', timeout, async () => {
			expect(await failureMessage(agent, ['/nowhere/at-all'])).toMatch(says.missing);
		});

		it('reports a different program', timeout, async () => {
			expect(await failureMessage(agent, ANOTHER)).toMatch(says.another);
		});

		it('reports a version that is too old', timeout, async () => {
			expect(await failureMessage(agent, tooOld)).toMatch(says['too old']);
		});

		it('reports a crash at startup with its stderr', timeout, async () => {
			const words = await failureMessage(agent, CRASHES);
			expect(words).toMatch(says.crashes);
			expect(words).toContain('cannot open the database');
		});

		it('reports a program that writes only garbage', timeout, async () => {
			if (!reportsGarbage) return expect(await afterAWhile(agent, BABBLES)).toMatch(says.garbage);
			await using story = await start(agent, BABBLES);
			await story.until('StopFailure');
			await expectEnd(story);
			expect(whyOf(story)).toMatch(says.garbage);
			expect(JSON.stringify(story.payloads('RuntimeError')[0])).toContain('%%%');
		});

		it('reports a program that hangs at startup', timeout, async () => {
			expect(await afterAWhile(agent, HANGS)).toMatch(says.hangs);
		});

		it('reports a program that exits in the middle of a turn', timeout, async () => {
			await using story = await start(agent, `${DIES}\n${agent.pretender}`);
			expect((await story.ask('go')).payload).toMatchObject({
				error: 'agent_ended',
				last_assistant_message: expect.stringMatching(says['ends in mid-turn']),
			});
			expect(whyOf(story)).toContain('Killed by a bug');
			await expectEnd(story);
		});
	});
}

/** The final message of an agent that fails before it accepts a prompt. */
async function failureMessage(agent: FailingAgent, program: string | StandIn['command']): Promise<string> {
	await using story = await start(agent, program);
	await story.until('StopFailure');
	await expectEnd(story);
	return whyOf(story);
}

/** The message of an agent that hangs, after its timeouts. */
async function afterAWhile(agent: FailingAgent, program: string): Promise<string> {
	const timers = createManualTimers();
	await using story = await start(agent, program, { timers, now: timers.now });
	const letTimePass = () => {
		timers.advance(1000);
		return story.reported('StopFailure')[0];
	};
	await waitFor(letTimePass, { deadlineMs: DEADLINE_MS, what: 'it to be given up', everyMs: 5, seen: () => story.events });
	await expectEnd(story);
	return whyOf(story);
}

async function start(agent: FailingAgent, program: string | StandIn['command'], time: Partial<StandIn> = {}) {
	await using stack = new AsyncDisposableStack();
	const { path: dir } = stack.use(await createTempDir());
	const file = join(dir, 'stand-in.mjs');
	if (typeof program === 'string') await writeFile(file, program);
	const command = typeof program === 'string' ? ([process.execPath, file] as const) : program;
	const env = { HOME: dir, PATH: process.env.PATH ?? '' };
	const driven = agent.open({ command, env, dir, ...time }).open({ cwd: dir, gate: 'enforce' });
	const story = listenTo(driven, allowAll);
	stack.defer(() => driven.connection.close());
	const owned = stack.move();
	return { ...story, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** It started, reported one failure, and ended. */
async function expectEnd(story: DrivenStory): Promise<void> {
	await story.until('SessionEnd');
	expect(story.reported('SessionStart')).toHaveLength(1);
	expect(story.reported('StopFailure')).toHaveLength(1);
	expect(story.runtime.getStatus()).toBe('stopped');
}

function whyOf(story: DrivenStory): string {
	return String(Object(story.payloads('StopFailure')[0]).last_assistant_message);
}
