import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { hostileStrings } from '@roost/testkit/corpora/hostile-strings';
import { deafAgent, fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { type Exit, type Program, startProgram } from '@roost/testkit/rigs/program';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../output/exit.ts';

const SAID = 'I have read src/health.ts: it never asks the database.\n';

const start = (roost: RunnerRig, args: readonly string[], input?: string): Promise<Program> =>
	startProgram(roostArgv('run', ...args), { cwd: roost.folder, env: roost.env, ...(input === undefined ? {} : { input }) });

async function run(roost: RunnerRig, args: readonly string[], input?: string): Promise<Exit> {
	await using program = await start(roost, args, input);
	return await program.waitForExit(60_000);
}

async function onlySession(roost: RunnerRig): Promise<SessionId> {
	const [row] = unwrap(await roost.api.record.sessions());
	return sessionId.parse(row?.id);
}

async function eventsOf(roost: RunnerRig, id: SessionId): Promise<FeedEvent[]> {
	return unwrap(await roost.api.feed.events({ id })).map(({ event }) => event);
}

const kindsOf = async (roost: RunnerRig, id: SessionId) => (await eventsOf(roost, id)).map(({ kind }) => kind);

/** How the newest run ended. */
async function lastEnd(roost: RunnerRig, id: SessionId): Promise<string | undefined> {
	const ends = (await eventsOf(roost, id)).flatMap((event) => (event.kind === 'run.end' ? [event.data.status] : []));
	return ends.at(-1);
}

/** The session of a running program, once it is reported. */
async function begun(program: Program): Promise<SessionId> {
	return await waitFor(
		() => {
			const id = /session (\S+) of mock/.exec(program.output().stderr)?.[1];
			return id === undefined ? undefined : sessionId.parse(id);
		},
		{ what: 'the run to begin', seen: program.output },
	);
}

async function askOf(roost: RunnerRig): Promise<AskRow> {
	const first = async () => unwrap(await roost.api.asks.list())[0];
	return await waitFor(first, { what: 'an ask' });
}

const storedBytes = (roost: RunnerRig, id: SessionId) =>
	startProgram(roostArgv('feed', id, '--json'), { cwd: roost.folder, env: roost.env });

describe('roost run', () => {
	it('prints the last message of the agent, and ends the session', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const exit = await run(roost, ['--agent', 'mock', 'read it']);
		expect(exit).toMatchObject({ code: 0, stdout: SAID });
		const id = await onlySession(roost);
		expect(exit.stderr).toMatch(new RegExp(`^roost: session ${id} of mock\n[\\d:]+ {2}● Read\\(`));
		expect((await kindsOf(roost, id)).slice(-2)).toEqual(['run.end', 'session.end']);
	});

	it('prints no progress with --quiet, but still prints the error', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		expect(await run(roost, ['--agent', 'mock', '--quiet', 'read it'])).toMatchObject({ code: 0, stdout: SAID, stderr: '' });
		const failed = await run(roost, ['--agent', 'mock', '--quiet', 'fail it']);
		expect(failed).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/^roost: The agent failed: [^\n]+\n$/) });
	});

	it('prints exactly the stored bytes with --json', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const exit = await run(roost, ['--agent', 'mock', '--json', 'run the tests']);
		expect(exit).toMatchObject({ code: 0, stderr: '' });
		await using feed = await storedBytes(roost, await onlySession(roost));
		expect(exit.stdout).toBe((await feed.waitForExit(60_000)).stdout);
		expect(exit.stdout.split('\n').length).toBeGreaterThan(10);
	});

	it('reads its prompt from stdin', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		expect(await run(roost, ['--agent', 'mock', '-'], 'read\nit\n')).toMatchObject({ code: 0, stdout: SAID });
		const prompt = (await eventsOf(roost, await onlySession(roost))).find((event) => event.kind === 'user.prompt');
		expect(prompt?.data.prompt).toBe('read\nit');
	});

	it('resumes an ended session, prints only new events, and ends it again', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await run(roost, ['--agent', 'mock', 'read it']);
		const id = await onlySession(roost);
		const before = (await eventsOf(roost, id)).length;
		const exit = await run(roost, ['--json', '--resume', id.slice(0, 6), 'fail it']);
		expect(exit.code).toBe(4);
		const lines = exit.stdout.trim().split('\n');
		expect(JSON.parse(lines[0] ?? '').offset).toBe(before + 1);
		expect(JSON.parse(lines.at(-1) ?? '').event.kind).toBe('session.end');
		const message = `The agent failed: the model is overloaded. See "roost feed ${id}".`;
		expect(JSON.parse(exit.stderr)).toEqual({ error: { code: 'agent_failed', message } });
	});

	it('waits for a busy agent, and leaves its session open', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession('explain it');
		await using program = await start(roost, ['--resume', id, 'read it']);
		const isQueued = async () => unwrap(await roost.api.queue.list({ id }))[0];
		await waitFor(isQueued, { what: 'the prompt to wait' });
		unwrap(await roost.api.sessions.interrupt({ commandId: 'c1', id }));
		const exit = await program.waitForExit(60_000);
		expect(exit).toMatchObject({ code: 0, stdout: SAID });
		expect(exit.stderr).toContain(': prompt queued');
		expect(await kindsOf(roost, id)).not.toContain('session.end');
	});

	it('supports two runs at once', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const both = [run(roost, ['--agent', 'mock', 'read it']), run(roost, ['--agent', 'mock', 'run the tests'])];
		const [one, two] = await Promise.all(both);
		expect([one?.code, two?.code]).toEqual([0, 0]);
		expect([one?.stdout, two?.stdout]).toEqual([SAID, expect.stringContaining('I was not allowed to use Bash')]);
	});

	it('refuses to start from a governed agent', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const inside = { ...roost, env: { ...roost.env, ROOST_SESSION: 'k3f9' } };
		expect(await run(inside, ['--agent', 'mock', 'read it'])).toMatchObject({
			code: 1,
			stdout: '',
			stderr: expect.stringContaining('this terminal belongs to an agent'),
		});
		expect(unwrap(await roost.api.record.sessions())).toEqual([]);
	});
});

describe('asks in a headless run', () => {
	it('are denied by an unattended run, and the agent continues', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const exit = await run(roost, ['--agent', 'mock', 'run the tests']);
		expect(exit.code).toBe(0);
		expect(exit.stderr).toContain('was denied: this run is unattended (--on-ask deny).');
		expect(exit.stdout).toContain('This run is unattended');
		const decided = (await eventsOf(roost, await onlySession(roost))).find((event) => event.kind === 'permission.decision');
		expect(decided?.data).toMatchObject({ decision_type: 'deny', principal: expect.stringMatching(/@run$/) });
	});

	it('get an empty answer if they are questions', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const exit = await run(roost, ['--agent', 'mock', '--on-ask', 'deny', 'choose one']);
		expect(exit).toMatchObject({ code: 0, stdout: 'Good, that is how I will do it.\n' });
		expect(exit.stderr).toContain('"What shall the check answer while the database starts?" was denied');
		const answer = (await eventsOf(roost, await onlySession(roost))).find((event) => event.kind === 'question.answer');
		expect(answer?.data).toMatchObject({ answers: {}, decided_by: 'user' });
	});

	it.each(['run the tests', 'choose one'])('end the run with --on-ask fail: %s', async (prompt) => {
		await using roost = await startRunner();
		const exit = await run(roost, ['--agent', 'mock', '--on-ask', 'fail', '--json', prompt]);
		expect(exit.code).toBe(5);
		expect(JSON.parse(exit.stderr).error).toMatchObject({ code: 'denied', message: expect.stringContaining('--on-ask fail') });
		expect(await lastEnd(roost, await onlySession(roost))).toBe('aborted');
	});

	it('stay pending with --on-ask wait, and the run explains how to answer', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await using program = await start(roost, ['--agent', 'mock', '--on-ask', 'wait', 'run the tests']);
		const { id: askId, nonce, sessionId: id } = await askOf(roost);
		const isReported = () => program.output().stderr.includes(`"roost allow ${askId}" or "roost deny ${askId}"`) || undefined;
		await waitFor(isReported, { what: 'how to answer', seen: program.output });
		unwrap(await roost.api.asks.approve({ id, askId, nonce, decision: 'allow' }));
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stdout: 'All twelve tests pass.\n' });
	});

	it('end the run when denied with an interrupt', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await using program = await start(roost, ['--agent', 'mock', '--on-ask', 'wait', 'run the tests']);
		const { id: askId, nonce, sessionId: id } = await askOf(roost);
		unwrap(await roost.api.asks.approve({ id, askId, nonce, decision: 'deny', interrupt: true }));
		const exit = await program.waitForExit(60_000);
		expect(exit).toMatchObject({ code: 5, stdout: '' });
		expect(exit.stderr).toContain('The agent was denied a request and could not continue');
	});
});

describe('unsuccessful headless run', () => {
	it('reports that its session was ended', async () => {
		await using roost = await startRunner();
		await using program = await start(roost, ['--agent', 'mock', 'explain it']);
		unwrap(await roost.api.sessions.end({ commandId: 'c1', id: await begun(program) }));
		const exit = await program.waitForExit(60_000);
		expect(exit.code).toBe(4);
		expect(exit.stderr).toContain('The run ended before the agent was done: the session ended');
	});

	it('is interrupted when it times out', async () => {
		await using roost = await startRunner();
		const exit = await run(roost, ['--agent', 'mock', '--timeout', '0.5', 'explain it']);
		expect(exit).toMatchObject({ code: 6, stdout: '' });
		const id = await onlySession(roost);
		expect(exit.stderr).toContain(`The time is up, so the run was interrupted. Resume it with "roost run --resume ${id}"`);
		expect(await lastEnd(roost, id)).toBe('aborted');
	});

	it('cancels its queued prompt on SIGINT, and leaves the current run alone', async () => {
		await using roost = await startRunner();
		const id = await roost.startSession('explain it');
		await using program = await start(roost, ['--resume', id, 'read it']);
		await begun(program);
		program.signal('SIGINT');
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 130 });
		expect(unwrap(await roost.api.queue.list({ id }))).toEqual([]);
		expect(await lastEnd(roost, id)).toBeUndefined();
	});

	it('is interrupted by Ctrl-C, and its session is ended', async () => {
		await using roost = await startRunner();
		await using program = await start(roost, ['--agent', 'mock', 'explain it']);
		const id = await begun(program);
		program.signal('SIGINT');
		const exit = await program.waitForExit(60_000);
		expect(exit).toMatchObject({ code: 130, signal: null, stdout: '' });
		expect(exit.stderr).toContain('The run was interrupted.');
		expect((await kindsOf(roost, id)).slice(-2)).toEqual(['run.end', 'session.end']);
		expect(await lastEnd(roost, id)).toBe('aborted');
	});

	it('exits at once on a second Ctrl-C, even if the agent ignores the first', async () => {
		const { agent, asked } = deafAgent();
		await using roost = await startRunner({ drives: agent });
		await using program = await start(roost, ['--agent', 'mock', 'explain it']);
		await begun(program);
		program.signal('SIGINT');
		await asked;
		program.signal('SIGINT');
		const exit = await program.waitForExit(60_000);
		expect(exit).toMatchObject({ code: 130, signal: null });
		// A command that waits for the agent and then exits reports how the run ended.
		expect(exit.stderr).not.toContain('The run was interrupted.');
	});

	it('is interrupted silently when its reader is gone', async () => {
		await using roost = await startRunner();
		const args = ['--agent', 'mock', '--json', '--on-ask', 'wait', 'mend it'];
		const argv = ['bash', '-c', 'set -o pipefail; "$@" | head -n 1', 'bash', ...roostArgv('run', ...args)] as const;
		await using program = await startProgram(argv, { cwd: roost.folder, env: roost.env });
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 130, stderr: '' });
		const id = await onlySession(roost);
		expect(await lastEnd(roost, id)).toBe('aborted');
		expect(await kindsOf(roost, id)).toContain('session.end');
	});

	it('fails when its runner stops', async () => {
		await using roost = await startRunner();
		await using program = await start(roost, ['--agent', 'mock', 'explain it']);
		await begun(program);
		await roost.end();
		const exit = await program.waitForExit(60_000);
		expect(exit).toMatchObject({ code: 1, stdout: '' });
		expect(exit.stderr).toContain('The runner has stopped, and the run with it.');
	});
});

describe('input of roost run', () => {
	it('is validated before a session is started, and --help lists every exit code', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const refused: [string[], number, string][] = [
			[['--agent', 'mock', ' '], 2, 'The prompt is empty. Write what the agent should do.'],
			[['--agent', 'mock'], 2, 'The prompt'],
			[['--on-ask', 'never', 'x'], 2, '--on-ask takes wait, deny or fail; it was "never".'],
			[['--timeout', 'soon', 'x'], 2, '--timeout takes seconds'],
			[['--max-turns', 'few', 'x'], 2, '--max-turns takes a whole number'],
			[
				['--agent', 'mock', '--max-turns', '3', 'x'],
				3,
				'mock does not support a turn limit (--max-turns). Limit the run with --timeout instead.',
			],
			[['one', 'two'], 2, 'too many arguments'],
			[['x'], 3, 'This runner cannot drive "claude": choose mock.'],
			[['--agent', 'nobody', 'x'], 3, 'This runner cannot drive "nobody": choose mock.'],
			[['--agent', 'mock', '--cwd', 'nowhere', 'x'], 3, `There is no folder ${join(roost.folder, 'nowhere')}`],
			[['--resume', 'nope', 'x'], 3, 'Session "nope" not found. Run "roost sessions --all" to list sessions.'],
		];
		const runs = refused.map(([args]) => ['run', ...args]);
		const [help, ...outputs] = await driveCli([['run', '--help'], ...runs], { cwd: roost.folder, env: roost.env });
		const codes = [...(help?.stdout ?? '').matchAll(/^ +(\d+) {2}\w/gm)].map(([, code]) => Number(code));
		expect(codes).toEqual(Object.values(EXIT));
		for (const [index, [args, code, sentence]] of refused.entries()) {
			expect.soft(outputs[index], args.join(' ')).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) });
		}
		expect(unwrap(await roost.api.record.sessions())).toEqual([]);
	});

	it('is passed on as a prompt only, even if hostile', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const canary = join(roost.folder, 'canary');
		const isArgument = (text: string) => !text.includes('\0') && text.isWellFormed() && text.length < 50_000;
		const texts = hostileStrings(canary).flatMap(({ text }) => (isArgument(text) && text.trim() !== '' ? [text] : []));
		const every = process.env.ROOST_SOAK ? 1 : 16;
		const prompts = texts.filter((_, index) => index % every === 0);
		const runs = prompts.map((text) => ['run', '--agent', 'mock', '--', text]);
		const outputs = await driveCli(runs, { cwd: roost.folder, env: roost.env });
		// A dash reads stdin, which is empty here.
		const taken = prompts.filter((text) => text !== '-');
		for (const [index, text] of prompts.entries()) expect.soft(outputs[index]?.code, text).toBe(taken.includes(text) ? 0 : 2);
		expect(unwrap(await roost.api.record.sessions())).toHaveLength(taken.length);
		expect(existsSync(canary)).toBe(false);
	});
});
