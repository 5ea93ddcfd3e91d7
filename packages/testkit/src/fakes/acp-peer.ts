// A scripted agent that speaks the Agent Client Protocol on its input and output: run as a process, it plays the plan in its argument.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentContext, agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import type { PeerAct, PeerCall, PeerPlan } from './acp-peer-plan.ts';

const plan = readPlan();
const sessionsDir = join(process.env.HOME ?? '.', 'acp-sessions');
const folders = new Map<string, string>();
const cancelled = new Map<string, AbortController>();

if (plan.crashes !== undefined) {
	process.stderr.write(`${plan.crashes}\n`);
	process.exit(7);
}
if (plan.startMs !== undefined) await delay(plan.startMs);
mkdirSync(sessionsDir, { recursive: true });

/** As plain text, so that it can offer options of kinds that the library does not know. */
const ASK: string = 'session/request_permission';
const never = new Promise<never>(() => {});

agent({ name: 'scripted' })
	.onRequest('initialize', async () => {
		if (plan.isDeaf) await never;
		return {
			protocolVersion: plan.version ?? 1,
			agentInfo: { name: plan.name ?? 'scripted', version: '1.0.0' },
			agentCapabilities: {
				loadSession: plan.resumesBy === 'load',
				sessionCapabilities: { ...(plan.resumesBy === 'resume' ? { resume: {} } : {}), ...(plan.forks ? { fork: {} } : {}) },
			},
		};
	})
	.onRequest('session/new', ({ params }) => begin(params.cwd, ''))
	.onRequest('session/load', async ({ params, client }) => {
		for (const text of loadSession(params.sessionId, params.cwd).split('\n').filter(Boolean))
			await show(client, params.sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
		return { ...plan.session };
	})
	.onRequest('session/resume', ({ params }) => {
		loadSession(params.sessionId, params.cwd);
		return { ...plan.session };
	})
	.onRequest(
		'session/fork',
		(params: unknown) => ({ sessionId: textAt(params, 'sessionId'), cwd: textAt(params, 'cwd') }),
		({ params }) => begin(params.cwd, loadSession(params.sessionId, params.cwd)),
	)
	.onRequest('session/set_mode', ({ params }) => note(params.sessionId, `mode ${params.modeId}`))
	.onRequest('session/set_config_option', ({ params }) => {
		note(params.sessionId, `option ${params.configId} ${String(params.value)}`);
		return { configOptions: [] };
	})
	.onRequest('session/prompt', async ({ params, client }) => {
		const text = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
		const acts = Object.entries(plan.turns).find(([phrase]) => text.includes(phrase))?.[1] ?? [];
		const stop = new AbortController();
		cancelled.set(params.sessionId, stop);
		note(params.sessionId, text);
		for (const act of acts) {
			if (stop.signal.aborted) break;
			const reason = await play(act, { client, sessionId: params.sessionId, stop });
			if (reason !== undefined) return { stopReason: reason, ...used };
		}
		return { stopReason: stop.signal.aborted ? 'cancelled' : 'end_turn', ...used };
	})
	.onNotification('session/cancel', ({ params }) => cancelled.get(params.sessionId)?.abort())
	.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

const used = plan.usage ? { usage: plan.usage } : {};
type Turn = { client: AgentContext; sessionId: string; stop: AbortController };
type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled';

async function play(act: PeerAct, turn: Turn): Promise<StopReason | undefined> {
	switch (act.act) {
		case 'say':
			for (const text of act.chunks) {
				if (turn.stop.signal.aborted) return 'cancelled';
				await show(turn.client, turn.sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
				await pause(act.everyMs ?? 0, turn.stop.signal);
			}
			return undefined;
		case 'call':
			return await call(act.call, turn);
		case 'update':
			return void (await show(turn.client, turn.sessionId, act.update));
		case 'garbage':
			return void process.stdout.write(`${act.lines.join('\n')}\n`);
		case 'error':
			throw RequestError.internalError({ details: act.message });
		case 'hang':
			return await never;
		case 'exit':
			process.stderr.write(act.stderr ?? '');
			process.exit(act.code);
			break;
		case 'stop':
			return isStopReason(act.reason) ? act.reason : undefined;
	}
}

async function call(made: PeerCall, { client, sessionId, stop }: Turn): Promise<StopReason | undefined> {
	const { id: toolCallId, kind, title, input: rawInput, content } = made;
	const news = { toolCallId, title, kind, rawInput, ...(content ? { content } : {}) };
	await show(client, sessionId, { sessionUpdate: 'tool_call', ...news, status: 'pending' });
	const end = (status: string, text: string) =>
		show(client, sessionId, {
			sessionUpdate: 'tool_call_update',
			toolCallId,
			status,
			content: [...(content ?? []), { type: 'content', content: { type: 'text', text } }],
		});
	if (made.asks) {
		const options = made.asks.map((each) => ({ optionId: `option-${each}`, kind: each, name: each }));
		const answer = await client.request<unknown>(ASK, { sessionId, toolCall: news, options });
		note(sessionId, `answer ${JSON.stringify(answer)}`);
		if (stop.signal.aborted) return 'cancelled';
		if (!JSON.stringify(answer).includes('option-allow')) return void (await end('failed', 'It was not allowed.'));
	}
	if (made.makes !== undefined) writeFileSync(join(folders.get(sessionId) ?? '.', made.makes), '');
	await end(made.fails ? 'failed' : 'completed', made.output ?? '');
	return undefined;
}

async function show(client: AgentContext, sessionId: string, update: Readonly<Record<string, unknown>>): Promise<void> {
	await client.notify<unknown>('session/update', { sessionId, update });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await delay(ms, undefined, { signal }).catch(() => {});
}

function begin(cwd: string, history: string) {
	const sessionId = crypto.randomUUID();
	folders.set(sessionId, cwd);
	writeFileSync(join(sessionsDir, sessionId), history);
	return { sessionId, ...plan.session };
}

/** The conversation so far. */
function loadSession(sessionId: string, cwd: string): string {
	const path = join(sessionsDir, sessionId);
	if (!existsSync(path)) throw RequestError.resourceNotFound(sessionId);
	folders.set(sessionId, cwd);
	return readFileSync(path, 'utf8');
}

function note(sessionId: string, line: string): void {
	appendFileSync(join(sessionsDir, sessionId), `${line}\n`);
}

function textAt(value: unknown, key: string): string {
	const entry = typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key) : undefined;
	return String(entry?.[1]);
}

function isStopReason(reason: string): reason is StopReason {
	return ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'].includes(reason);
}

/** Written by `acpPeerArgv` of the same version, so its shape is known. */
function readPlan(): PeerPlan {
	return JSON.parse(process.argv[2] ?? '{"turns":{}}');
}
