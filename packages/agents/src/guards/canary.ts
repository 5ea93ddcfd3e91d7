// Proves on this machine that a deployed guard fires: the real agent with a scripted model that makes a forbidden call.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '@roost/core/display/parse-json';
import { CANARY_COMMAND, CANARY_REASON } from '@roost/core/guards/canary-command';
import { type ProgramExit, runProgram } from '@roost/machine/run-program';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import type { Deployed, HooksDef } from '../base/types.ts';
import { readGuardLog } from './guard-log.ts';

/** The model protocol of an agent, and how to point it at another model. */
export type CanaryAgent = {
	/** The shell call first, the end after its result. Null for other requests. */
	answer(call: ModelCall): ModelAnswer | null;
	/** The result of the shell call, as sent to the model; null for other requests. */
	outcome(call: ModelCall): string | null;
	/** One run without a terminal. `env` is added to the agent's. */
	launch(canary: { modelUrl: string; deployed: Deployed; stateDir: string }): Promise<CanaryLaunch>;
};

type CanaryLaunch = { args: readonly string[]; env: Readonly<Record<string, string>> };

type CanaryOptions = {
	agent: CanaryAgent;
	program: readonly [string, ...string[]];
	def: HooksDef;
	deployed: Deployed;
	/** Complete. */
	env: Readonly<Record<string, string>>;
	timeLimitMs?: number;
	signal?: AbortSignal | undefined;
};

export type CanaryResult = { guarded: true } | { guarded: false; reason: string };

const TIME_LIMIT_MS = 60_000;

/** Never throws: an unproven guard counts as none. */
export async function proveGuard(options: CanaryOptions): Promise<CanaryResult> {
	try {
		return await prove(options);
	} catch (cause) {
		return unguarded(`the proof failed: ${cause instanceof Error ? cause.message : String(cause)}`);
	}
}

async function prove({
	agent,
	program,
	def,
	deployed,
	env,
	timeLimitMs = TIME_LIMIT_MS,
	signal,
}: CanaryOptions): Promise<CanaryResult> {
	const before = (await readGuardLog(def.stateDir)).length;
	const outcomes: string[] = [];
	await using model = await openCanaryModel((call) => {
		const outcome = agent.outcome(call);
		if (outcome !== null) outcomes.push(outcome);
		return agent.answer(call);
	});
	const launch = await agent.launch({ modelUrl: model.url, deployed, stateDir: def.stateDir });
	const [file, ...own] = program;
	const running = runProgram([file, ...own, ...launch.args], {
		cwd: def.worktreePath,
		env: { ...env, ...deployed.env, ...launch.env },
		limitMs: timeLimitMs,
		signal,
	});
	const ended = await running.ended;
	const how = ended.ok ? describe(ended.value) : ended.error.message;
	if (outcomes.length === 0) return unguarded(`its program did not make the call that the guard must deny (${how})`);
	const lines = (await readGuardLog(def.stateDir)).slice(before);
	if (!lines.some((line) => !line.allowed && line.reason === CANARY_REASON)) return unguarded('the guard was never asked');
	if (!outcomes.every((outcome) => outcome.includes(CANARY_REASON)))
		return unguarded('the guard denied the call, but the agent made it anyway');
	return { guarded: true };
}

const MOST_SAID = 300;
const STOPPED = { timeout: 'it took too long; ', aborted: 'it was stopped; ' } as const;

/** With the end of its output. */
function describe({ code, signal, stdout, stderr, stopped }: ProgramExit): string {
	const text = `${stdout}${stderr}`.trim().slice(-MOST_SAID);
	return `${stopped ? STOPPED[stopped] : ''}it ended with ${signal ?? code}${text && `: ${text}`}`;
}

function unguarded(reason: string): CanaryResult {
	return { guarded: false, reason };
}

export type ModelCall = { method: string; path: string; body: unknown };

export type ModelAnswer = { contentType: string; body: string };

type CanaryModel = AsyncDisposable & { readonly url: string };

const MAX_BYTES = 32 * 1024 * 1024;

async function openCanaryModel(answer: (call: ModelCall) => ModelAnswer | null): Promise<CanaryModel> {
	const server = createServer((request, response) => {
		reply(request, response, answer).catch(() => response.destroy());
	});
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once('error', reject);
	server.listen(0, '127.0.0.1', resolve);
	await promise;
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the model for the proof has no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		async [Symbol.asyncDispose]() {
			const closed = Promise.withResolvers<void>();
			server.close(() => closed.resolve());
			server.closeAllConnections();
			await closed.promise;
		},
	};
}

async function reply(
	request: IncomingMessage,
	response: ServerResponse,
	answer: (call: ModelCall) => ModelAnswer | null,
): Promise<void> {
	const path = new URL(request.url ?? '/', 'http://model').pathname;
	const message = answer({ method: request.method ?? '', path, body: await readJson(request) });
	if (message === null) response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not served"}}');
	else response.writeHead(200, { 'content-type': message.contentType }).end(message.body);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of request) {
		if (!Buffer.isBuffer(part)) continue;
		size += part.length;
		if (size > MAX_BYTES) throw new Error('the request is too long');
		parts.push(part);
	}
	return parseJson(Buffer.concat(parts).toString('utf8'));
}

const CALL_ID = 'call_roost_canary';

/** `more`: other arguments of the shell tool. Without a shell tool there is no call. */
export function chatCanary(more: JsonObject = {}): Pick<CanaryAgent, 'answer' | 'outcome'> {
	return {
		answer(call) {
			if (call.method !== 'POST' || call.path !== '/v1/chat/completions' || !isJsonObject(call.body)) return null;
			return toCompletion(call.body, hasShell(call.body) && findOutcome(call) === null, more);
		},
		outcome: findOutcome,
	};
}

function hasShell({ tools }: JsonObject): boolean {
	const offered = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
	return offered.some((tool) => isJsonObject(tool.function) && tool.function.name === 'bash');
}

function findOutcome({ body }: ModelCall): string | null {
	const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];
	const result = messages.find(({ role, tool_call_id }) => role === 'tool' && tool_call_id === CALL_ID);
	if (!result) return null;
	return typeof result.content === 'string' ? result.content : JSON.stringify(result.content);
}

function toCompletion(request: JsonObject, calls: boolean, more: JsonObject): ModelAnswer {
	const input = JSON.stringify({ command: CANARY_COMMAND, ...more });
	const call = { index: 0, id: CALL_ID, type: 'function', function: { name: 'bash', arguments: input } };
	const delta = calls ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: 'Done.' };
	const finish_reason = calls ? 'tool_calls' : 'stop';
	const base = { id: 'chatcmpl_roost_canary', created: 0, model: request.model };
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	if (request.stream !== true) {
		const body = { ...base, object: 'chat.completion', choices: [{ index: 0, message: delta, finish_reason }], usage };
		return { contentType: 'application/json', body: JSON.stringify(body) };
	}
	const chunk = { ...base, object: 'chat.completion.chunk' };
	const events = [
		{ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
		{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
		{ ...chunk, choices: [], usage },
	];
	const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
	return { contentType: 'text/event-stream', body };
}
