// The conformance tests of every agent, one per cell. A cell passes, or returns why the agent cannot; any other problem throws.
import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import { AGENT_FEATURES } from '@roost/protocol/api/agent-features';
import type { ConformanceRig } from '@roost/testkit/rigs/agents/agent-rig';
import { ALLOW, type DrivenStory, listenTo, NO_OPINION, type TestGate, toPrompt } from '@roost/testkit/rigs/agents/driven-story';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { expect } from 'vitest';
import { isJsonObject } from '../base/json-object.ts';
import { proveObserved } from './prove-observed.contract.ts';
import { conformanceScript, HELLO, PROMPTS, USED, wasReported } from './script.contract.ts';
import { type AgentStage, UNKNOWN_WORD } from './stage.contract.ts';

export type Outcome = { outcome: 'pass' } | { outcome: 'unsupported'; reason: string };

export type Cell = {
	readonly id: string;
	/** The heading of its column. */
	readonly title: string;
	prove(scene: Scene): Promise<Outcome>;
};

export type Scene = {
	readonly stage: AgentStage;
	readonly rig: ConformanceRig;
	/** Working directory of the scripted commands, without files of earlier cells. */
	readonly cwd: string;
};

const PASS: Outcome = { outcome: 'pass' };
const MADE = 'made.txt';

export const CELLS: readonly Cell[] = [
	{ id: 'start', title: AGENT_FEATURES.start, prove: start },
	{ id: 'prompt', title: AGENT_FEATURES.prompt, prove: prompt },
	{ id: 'message', title: AGENT_FEATURES.message, prove: words },
	{ id: 'tool', title: AGENT_FEATURES.tool, prove: tool },
	{ id: 'allow', title: AGENT_FEATURES.allow, prove: allow },
	{ id: 'deny', title: AGENT_FEATURES.deny, prove: deny },
	{ id: 'edit', title: AGENT_FEATURES.edit, prove: edit },
	{ id: 'question', title: AGENT_FEATURES.question, prove: question },
	{ id: 'interrupt', title: AGENT_FEATURES.interrupt, prove: interrupt },
	{ id: 'steer', title: AGENT_FEATURES.steer, prove: steer },
	{ id: 'resume', title: AGENT_FEATURES.resume, prove: resume },
	{ id: 'fork', title: AGENT_FEATURES.fork, prove: fork },
	{ id: 'usage', title: AGENT_FEATURES.usage, prove: usage },
	{ id: 'error', title: AGENT_FEATURES.error, prove: error },
	{ id: 'kill', title: AGENT_FEATURES.kill, prove: kill },
	{ id: 'unknown', title: AGENT_FEATURES.unknown, prove: unknown },
	{ id: 'observed', title: AGENT_FEATURES.observed, prove: observed },
	{ id: 'guard', title: AGENT_FEATURES.guard, prove: guard },
];

async function start(scene: Scene): Promise<Outcome> {
	using story = open(scene);
	const begun = await story.until('SessionStart');
	expect(begun.payload).toMatchObject({ source: 'startup' });
	expect(story.runtime.getStatus()).toBe('running');
	return PASS;
}

async function prompt(scene: Scene): Promise<Outcome> {
	using story = open(scene);
	const sent = toPrompt(PROMPTS.live);
	await story.connection.sendPrompt(sent);
	expect((await story.until('Stop')).sessionId).not.toBe('');
	expect(story.payloads('UserPromptSubmit')).toMatchObject([{ prompt: PROMPTS.live, sent_as: sent.id }]);
	expect(wasReported(scene.rig.requests, PROMPTS.live)).toBe(true);
	return PASS;
}

async function words(scene: Scene): Promise<Outcome> {
	using story = open(scene);
	expect((await story.ask(PROMPTS.live)).payload).toMatchObject({ last_assistant_message: HELLO });
	const pieces = story.payloads('MessageDisplay').filter(isJsonObject);
	expect(pieces.map(({ delta }) => delta).join('')).toBe(HELLO);
	expect(pieces.at(-1)).toMatchObject({ final: true });
	return PASS;
}

async function tool(scene: Scene): Promise<Outcome> {
	using story = open(scene);
	await story.ask(PROMPTS.act);
	const call = { tool_name: 'Bash', tool_input: { command: expect.stringContaining(MADE) } };
	expect(story.payloads('PreToolUse')).toMatchObject([call]);
	expect(story.payloads('PostToolUse')).toMatchObject([call]);
	expect(isMade(scene)).toBe(true);
	return PASS;
}

/** Nothing runs before it is allowed. */
async function allow(scene: Scene): Promise<Outcome> {
	using story = open(scene, () => undefined);
	await story.connection.sendPrompt(toPrompt(PROMPTS.act));
	const announced = await story.until('PreToolUse');
	expect(isMade(scene)).toBe(false);
	story.runtime.sendDecision(announced.id, NO_OPINION);
	const asked = await story.until('PermissionRequest');
	expect(isMade(scene)).toBe(false);
	story.runtime.sendDecision(asked.id, ALLOW);
	await story.until('Stop');
	expect(isMade(scene)).toBe(true);
	return PASS;
}

async function deny(scene: Scene): Promise<Outcome> {
	const reason = 'Not on a Sunday.';
	using story = open(scene, decide({ verdict: { type: 'deny', message: reason }, source: 'user' }));
	await story.ask(PROMPTS.act);
	expect(story.reported('PermissionRequest')).toHaveLength(1);
	expect(story.reported('PostToolUse')).toEqual([]);
	expect(isMade(scene)).toBe(false);
	return PASS;
}

/** Either the edited call runs, or nothing does; never the original call. */
async function edit(scene: Scene): Promise<Outcome> {
	const updatedInput = { command: 'touch edited.txt' };
	using story = open(scene, decide({ verdict: { type: 'allow', updatedInput }, source: 'user' }));
	await story.ask(PROMPTS.act);
	expect(isMade(scene)).toBe(false);
	if (existsSync(join(scene.cwd, 'edited.txt'))) return PASS;
	const [message] = story.payloads('RuntimeError').filter(isJsonObject);
	return { outcome: 'unsupported', reason: String(message?.message ?? 'nothing ran, and nothing was said') };
}

async function question(scene: Scene): Promise<Outcome> {
	const { questionHook } = scene.rig.agent.capabilities;
	if (scene.stage.words.question('', []) === null || questionHook === null)
		return { outcome: 'unsupported', reason: 'its model has no tool that asks a question' };
	const verdict = { type: 'answer', answers: { 'Which colour?': 'Blue' } } as const;
	using story = open(scene, (event) => (event.hookName === questionHook ? { verdict, source: 'user' } : NO_OPINION));
	await story.ask(PROMPTS.ask);
	expect(story.payloads(questionHook)).toMatchObject([{ tool_name: 'AskUserQuestion' }]);
	expect(wasReported(scene.rig.requests, 'Blue')).toBe(true);
	return PASS;
}

async function interrupt(scene: Scene): Promise<Outcome> {
	using story = open(scene);
	await story.connection.sendPrompt(toPrompt(PROMPTS.long));
	await story.until('MessageDisplay');
	await story.connection.abort();
	expect((await story.until('Stop')).payload).toMatchObject({ interrupted: true });
	expect((await story.ask(PROMPTS.live)).hookName).toBe('Stop');
	return PASS;
}

/** The prompt joins the current turn or waits for its end: in both cases it arrives once. */
async function steer(scene: Scene): Promise<Outcome> {
	using story = open(scene, () => undefined);
	await story.connection.sendPrompt(toPrompt(PROMPTS.act));
	const announced = await story.until('PreToolUse');
	await story.connection.control({ type: 'steer', prompt: toPrompt('mind the gap') });
	story.runtime.sendDecision(announced.id, NO_OPINION);
	story.runtime.sendDecision((await story.until('PermissionRequest')).id, ALLOW);
	await story.until('UserPromptSubmit', 2);
	const steered = story.payloads('UserPromptSubmit').at(1);
	if (isJsonObject(steered) && steered.steers === true) {
		await story.until('Stop');
		return PASS;
	}
	await story.until('Stop', 2);
	return { outcome: 'unsupported', reason: 'a prompt that comes in the middle waits for the end of the turn' };
}

async function resume(scene: Scene): Promise<Outcome> {
	return await continueSession(scene, false);
}

async function fork(scene: Scene): Promise<Outcome> {
	return await continueSession(scene, true);
}

async function continueSession(scene: Scene, fork: boolean): Promise<Outcome> {
	const { agent, project: cwd } = scene.rig;
	using first = open(scene);
	const { sessionId: nativeId } = await first.ask(PROMPTS.live);
	first.connection.close();
	const again = { resume: { nativeId, fork } };
	const refusal = agent.refuse({ cwd, gate: 'enforce', ...again });
	if (refusal !== null) return { outcome: 'unsupported', reason: refusal };
	using second = open(scene, allowed, again);
	const ended = await second.ask('and now?');
	const { sessionId } = ended;
	if (isJsonObject(ended.payload) && second.reported('SessionEnd').length > 0)
		return { outcome: 'unsupported', reason: String(ended.payload.last_assistant_message) };
	expect(second.payloads('SessionStart')).toMatchObject([{ source: fork ? 'fork' : 'resume' }]);
	expect(sessionId === nativeId).toBe(!fork);
	const last = JSON.stringify(scene.rig.requests.at(-1)?.body);
	expect(last.includes(PROMPTS.live) && last.includes(HELLO) && last.includes('and now?')).toBe(true);
	return PASS;
}

/** Every token counts once, however the agent itself counts. */
async function usage(scene: Scene): Promise<Outcome> {
	const before = scene.rig.requests.length;
	using story = open(scene);
	await story.ask(PROMPTS.act);
	await story.ask(PROMPTS.live);
	const calls = scene.rig.requests.length - before;
	const last = story.payloads('UsageReport').at(-1);
	const byModel = isJsonObject(last) && isJsonObject(last.by_model) ? Object.values(last.by_model) : [];
	if (byModel.length === 0) return { outcome: 'unsupported', reason: 'it does not say what a session used' };
	expect(byModel).toMatchObject([
		{
			input_tokens: USED.input_tokens * calls,
			cache_read_tokens: USED.cache_read_input_tokens * calls,
			output_tokens: USED.output_tokens * calls,
		},
	]);
	return PASS;
}

async function error(scene: Scene): Promise<Outcome> {
	using story = open(scene);
	const ended = await story.ask(PROMPTS.fail);
	if (ended.hookName === 'Stop')
		return { outcome: 'unsupported', reason: 'of a model that failed it says only that the turn is over' };
	expect(ended).toMatchObject({
		hookName: 'StopFailure',
		payload: { last_assistant_message: expect.stringContaining('I will not') },
	});
	return PASS;
}

async function kill(scene: Scene): Promise<Outcome> {
	const pids: number[] = [];
	using story = open(scene, allowed, { onSpawned: (pid) => pids.push(pid) });
	await story.connection.sendPrompt(toPrompt(PROMPTS.long));
	await story.until('MessageDisplay');
	for (const pid of pids) process.kill(pid, 'SIGKILL');
	await story.until('SessionEnd');
	expect(story.payloads('StopFailure')).toMatchObject([{ last_assistant_message: expect.stringMatching(/\w+/) }]);
	expect(story.runtime.getStatus()).toBe('stopped');
	return PASS;
}

/** Unknown messages are reported, and the agent continues. */
async function unknown({ stage }: Scene): Promise<Outcome> {
	await using temp = await createTempDir();
	const program = await makeInterposed(temp.path, stage.program(), stage.unknownLine);
	await using rig = await stage.open({ script: conformanceScript(stage.words), program });
	using story = open({ rig, stage });
	expect((await story.ask(PROMPTS.live)).hookName).toBe('Stop');
	const reported = story.events.filter(({ payload }) => JSON.stringify(payload).includes(UNKNOWN_WORD));
	expect(reported.map(({ hookName }) => hookName)).toHaveLength(1);
	return PASS;
}

async function observed({ stage, rig }: Scene): Promise<Outcome> {
	if (typeof stage.observed === 'string') return { outcome: 'unsupported', reason: stage.observed };
	await proveObserved(stage.observed, stage.program(), rig);
	return PASS;
}

async function guard({ stage, rig }: Scene): Promise<Outcome> {
	const outcome = await stage.canary(rig);
	return outcome.guarded ? PASS : { outcome: 'unsupported', reason: outcome.reason };
}

const allowed: TestGate = (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : ALLOW);

/** No opinion on announced calls; this decision on permission requests. */
function decide(decision: RuntimeDecision): TestGate {
	return (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : decision);
}

function open(
	{ rig, stage }: Pick<Scene, 'rig' | 'stage'>,
	gate: TestGate = allowed,
	request: Partial<DrivenRequest> = {},
): DrivenStory & Disposable {
	const story = listenTo(rig.agent.open({ cwd: rig.project, gate: 'enforce', ...stage.request, ...request }), gate);
	return { ...story, [Symbol.dispose]: () => story.connection.close() };
}

function isMade({ cwd }: Scene): boolean {
	return existsSync(join(cwd, MADE));
}

/** Removes files of earlier cells. */
export async function clearScene({ cwd }: Scene): Promise<void> {
	for (const name of [MADE, 'edited.txt']) await rm(join(cwd, name), { force: true });
}

/** An executable in `folder` that runs the real one and puts `line` after its first line, as a newer version might. */
async function makeInterposed(folder: string, real: readonly [string, ...string[]], line: string): Promise<string> {
	const path = join(folder, 'interposed.mjs');
	const program = `#!${process.execPath}
import { spawn } from 'node:child_process';
const child = spawn(${JSON.stringify(real[0])}, [...${JSON.stringify(real.slice(1))}, ...process.argv.slice(2)], { stdio: ['inherit', 'pipe', 'inherit'] });
let isSaid = false;
child.stdout.on('data', (chunk) => {
	const at = isSaid ? -1 : chunk.indexOf(10);
	if (at < 0) return void process.stdout.write(chunk);
	isSaid = true;
	process.stdout.write(Buffer.concat([chunk.subarray(0, at + 1), Buffer.from(${JSON.stringify(`${line}\n`)}), chunk.subarray(at + 1)]));
});
child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
`;
	await writeFile(path, program);
	await chmod(path, 0o700);
	return path;
}
