// One ask, two hundred answers at once over HTTP, the stream and the command line: one effect, and everyone gets the winner.
import { type Winner, winner } from '@roost/protocol/api/answers';
import { type AskRow, askRow } from '@roost/protocol/ask';
import { storedLine } from '@roost/protocol/stored-line';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openRawStream } from '../rigs/api/raw-stream.ts';
import type { PlayedAgent } from '../rigs/runner/runner-rig.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const ANSWERS = 200;
const BY_COMMAND = 12;
const SOCKETS = 8;
const ROUNDS = process.env.ROOST_SOAK ? 12 : 2;

/** The result of one racer: it won, or who did. */
type Outcome = { racer: number; face: 'http' | 'stream' | 'cli'; won: boolean; winner?: Winner; sentence?: string };

describe('200 answers to one ask', () => {
	it('have one effect, whichever client is first, and the others get the winning verdict', { timeout: 600_000 }, async () => {
		await using roost = await startRunnerProcess();
		const agent = await roost.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		for (let round = 0; round < ROUNDS; round++) {
			const { ask, reply } = await openAsk(roost, agent, round);
			const outcomes = await race(roost, ask, { commandsFirst: round % 2 === 1 });

			const [won, ...more] = outcomes.filter((outcome) => outcome.won);
			if (!won) throw new Error('nobody won');
			expect(more).toEqual([]);
			expect(outcomes).toHaveLength(ANSWERS);
			if (round % 2 === 1) expect(won.face).toBe('cli');
			expect(readPermissionReply((await reply).body)).toMatchObject(agentHears(won.racer));
			expect(await decisionsOf(roost, ask)).toEqual([decisionOf(won.racer)]);
			for (const lost of outcomes.filter((outcome) => !outcome.won)) expectToKnow(lost, won, ask);
		}
		expect(await roost.roost('verify')).toMatchObject({ code: 0 });
	});
});

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

async function openAsk(roost: RunnerProcess, agent: PlayedAgent, round: number) {
	const reply = agent.report({
		hook_event_name: 'PermissionRequest',
		session_id: NATIVE,
		tool_name: 'Bash',
		tool_input: { command: `make ${round}` },
	});
	const ask = await waitFor(async () => z.array(askRow).parse(JSON.parse((await roost.call('GET', '/api/v1/asks')).body))[0], {
		what: 'the ask',
	});
	return { ask, reply };
}

/** A command starts slowly, so it wins only if the others wait for the first command to finish. */
async function race(roost: RunnerProcess, ask: AskRow, { commandsFirst }: { commandsFirst: boolean }): Promise<Outcome[]> {
	const racers = Array.from({ length: ANSWERS }, (_, racer) => racer);
	const commands = racers.slice(0, BY_COMMAND).map((racer) => byCommand(roost, ask, racer));
	if (commandsFirst) await Promise.race(commands);
	const half = BY_COMMAND + (ANSWERS - BY_COMMAND) / 2;
	const requests = racers.slice(BY_COMMAND, half).map((racer) => byHttp(roost, ask, racer));
	return (await Promise.all([...commands, ...requests, byStream(roost, ask, racers.slice(half))])).flat();
}

/** Half of them allow, each with another input; half deny, each with another message. */
function bodyOf(ask: AskRow, racer: number) {
	const message = racer % 2 === 0 ? { modifiedInput: inputOf(racer) } : { denyMessage: messageOf(racer) };
	return { askId: ask.id, nonce: ask.nonce, decision: racer % 2 === 0 ? 'allow' : 'deny', ...message };
}

const inputOf = (racer: number) => ({ command: `echo ${racer}` });
const messageOf = (racer: number) => `not as ${racer}`;

const conflict = z.object({ code: z.literal('conflict'), message: z.string(), winner });

async function byHttp(roost: RunnerProcess, ask: AskRow, racer: number): Promise<Outcome> {
	const { status, body } = await roost.call('POST', `/api/v1/sessions/${ask.sessionId}/approve`, bodyOf(ask, racer));
	if (status === 200) return { racer, face: 'http', won: true };
	expect(status).toBe(409);
	const message = conflict.parse(JSON.parse(body));
	return { racer, face: 'http', won: false, winner: message.winner, sentence: message.message };
}

async function byStream(roost: RunnerProcess, ask: AskRow, racers: readonly number[]): Promise<Outcome[]> {
	await using stack = new AsyncDisposableStack();
	const opening = Array.from({ length: SOCKETS }, () => openRawStream({ port: roost.port, headers: roost.bearer }));
	const streams = (await Promise.all(opening)).map((stream) => stack.use(stream));
	const answers = racers.map(async (racer): Promise<Outcome> => {
		const stream = streams[racer % SOCKETS];
		const id = `${ask.id}-${racer}`;
		stream?.send({ type: 'call', operation: 'asks.approve', id, input: { id: ask.sessionId, ...bodyOf(ask, racer) } });
		const result = await stream?.frame('result', (frame) => frame.id === id);
		if (result?.ok) return { racer, face: 'stream', won: true };
		const message = conflict.parse({ ...result?.error, winner: result?.winner });
		return { racer, face: 'stream', won: false, winner: message.winner, sentence: message.message };
	});
	return await Promise.all(answers);
}

async function byCommand(roost: RunnerProcess, ask: AskRow, racer: number): Promise<Outcome> {
	const lines =
		racer % 2 === 0
			? ['allow', ask.id, '--input', JSON.stringify(inputOf(racer))]
			: ['deny', ask.id, '--message', messageOf(racer)];
	// Every third is a script and reads the winner from JSON; the others read the sentence.
	const script = racer % 3 === 0;
	const { code, stderr } = await roost.roost(...lines, ...(script ? ['--json'] : []));
	if (code === 0) return { racer, face: 'cli', won: true };
	expect(code, stderr).toBe(1);
	if (!script) return { racer, face: 'cli', won: false, sentence: stderr.trim() };
	const failure = z.object({ error: conflict.omit({ winner: true }), winner }).parse(JSON.parse(stderr));
	return { racer, face: 'cli', won: false, winner: failure.winner, sentence: failure.error.message };
}

function expectToKnow(lost: Outcome, won: Outcome, ask: AskRow): void {
	const by = `@${won.face === 'cli' ? 'cli' : 'http'}`;
	const state = won.racer % 2 === 0 ? 'allowed' : 'denied';
	expect(lost.sentence).toMatch(new RegExp(`Ask ${ask.id} was already ${state} by .*${by}\\.$`));
	if (lost.winner === undefined) expect(lost.face).toBe('cli');
	else expect(lost.winner).toEqual({ state, verdict: verdictOf(won.racer), principal: expect.stringContaining(by) });
}

function verdictOf(racer: number) {
	return racer % 2 === 0 ? { type: 'allow', updatedInput: inputOf(racer) } : { type: 'deny', message: messageOf(racer) };
}

function decisionOf(racer: number) {
	return expect.objectContaining(
		racer % 2 === 0
			? { decision_type: 'allow', updated_input: inputOf(racer) }
			: { decision_type: 'deny', message: messageOf(racer) },
	);
}

/** The decision for the agent, which only the adapter can wrap. */
function agentHears(racer: number) {
	return racer % 2 === 0 ? { behavior: 'allow', updatedInput: inputOf(racer) } : { behavior: 'deny', message: messageOf(racer) };
}

async function decisionsOf(roost: RunnerProcess, ask: AskRow) {
	const { body } = await roost.call('GET', `/api/v1/sessions/${ask.sessionId}/events?limit=1000`);
	const events = z.array(storedLine).parse(JSON.parse(body));
	return events.flatMap(({ event }) =>
		event.kind === 'permission.decision' && event.data.ask_id === ask.id ? [event.data] : [],
	);
}

/** Undefined without a decision. */
function readPermissionReply(body: string): unknown {
	const reply: { hookSpecificOutput?: { decision?: unknown } } = JSON.parse(body);
	return reply.hookSpecificOutput?.decision;
}
