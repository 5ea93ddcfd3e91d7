// The process of an ACP agent and the messages exchanged with it; starts, resumes or forks a session as far as supported.

import type { AnyMessage, ClientConnection } from '@agentclientprotocol/sdk';
import type { DrivenRequest, ResumeRequest } from '@roost/core/runtime/connection';
import { type LineProcess, type LineProcessDeps, type ProcessEnd, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBounded } from '../hooks/bounded-json.ts';
import { type AcpSession, type AcpUpdate, type Initialized, initialized, session, update } from './acp-messages.ts';

type BegunSession = AcpSession & { sessionId: string };
export type OpenSession = BegunSession & { known: KnownAgent };

type Asked = { link: AcpLink; title: string; agent: Initialized; cwd: string };

const PROTOCOL_VERSION = 1;
/** File and terminal access stays with the agent, which asks for permission; through Roost it would not. */
const CLIENT_CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

type SessionDeps = { title: string; request: DrivenRequest; accept: (agent: Initialized) => string | null };

export async function openSession(link: AcpLink, { title, request, accept }: SessionDeps): Promise<Result<OpenSession>> {
	const agent = await initialize(link, title);
	if (!agent.ok) return agent;
	const refusal = accept(agent.value);
	if (refusal !== null) return failed(refusal);
	const asked: Asked = { link, title, agent: agent.value, cwd: request.cwd };
	const begun = request.resume ? await resumeOrFork(asked, request.resume) : await begin(asked);
	return begun.ok ? await setAskingMode(asked, begun.value) : begun;
}

async function initialize(link: AcpLink, title: string): Promise<Result<Initialized>> {
	const answer = await link.request('initialize', {
		protocolVersion: PROTOCOL_VERSION,
		clientInfo: { name: 'roost', title: 'Roost', version: '0.1.0' },
		clientCapabilities: CLIENT_CAPABILITIES,
	});
	if (!answer.ok) return failed(`${title} could not be reached: ${answer.error.message}`);
	const parsed = initialized.safeParse(answer.value);
	if (!parsed.success) return failed(`${title} does not answer as the Agent Client Protocol says.`);
	const { protocolVersion } = parsed.data;
	if (protocolVersion === PROTOCOL_VERSION) return ok(parsed.data);
	return failed(
		`${title} speaks version ${protocolVersion} of the Agent Client Protocol, and Roost speaks version ${PROTOCOL_VERSION}: update the older of the two.`,
	);
}

async function begin(asked: Asked): Promise<Result<BegunSession>> {
	return await request(asked, 'session/new', {}, undefined);
}

async function resumeOrFork(asked: Asked, resume: ResumeRequest): Promise<Result<BegunSession>> {
	const taken = resume.fork ? await copy(asked, resume) : await continueSession(asked, resume.nativeId);
	if (taken.ok || !resume.ifMissing) return taken;
	const { copyOf } = resume.ifMissing;
	return copyOf ? await copy(asked, copyOf) : await begin(asked);
}

async function continueSession(asked: Asked, nativeId: string): Promise<Result<BegunSession>> {
	const { loadSession, sessionCapabilities } = asked.agent.agentCapabilities;
	if (sessionCapabilities.resume) return await request(asked, 'session/resume', { sessionId: nativeId }, nativeId);
	if (loadSession) return await request(asked, 'session/load', { sessionId: nativeId }, nativeId);
	return failed(`${asked.title} cannot resume a conversation: start a new session.`);
}

async function copy(
	asked: Asked,
	{ nativeId, upTo }: { nativeId: string; upTo?: string | undefined },
): Promise<Result<BegunSession>> {
	const { fork } = asked.agent.agentCapabilities.sessionCapabilities;
	if (!fork) return failed(`${asked.title} cannot fork a conversation: start a new session.`);
	if (upTo !== undefined) return failed(`${asked.title} forks only whole conversations: fork it at its end.`);
	return await request(asked, 'session/fork', { sessionId: nativeId }, undefined);
}

async function request(
	{ link, title, agent, cwd }: Asked,
	method: string,
	params: { sessionId?: string },
	nativeId: string | undefined,
): Promise<Result<BegunSession>> {
	const answer = await link.request(method, { ...params, cwd, mcpServers: [] });
	if (!answer.ok)
		return failed(
			`${title} ${params.sessionId === undefined ? 'did not start a session' : 'did not resume the session'}: ${answer.error.message}${howToLogIn(agent)}`,
		);
	const parsed = session.safeParse(answer.value ?? {});
	const sessionId = nativeId ?? (parsed.success ? parsed.data.sessionId : undefined);
	if (!parsed.success || sessionId === undefined) return failed(`${title} does not answer as the Agent Client Protocol says.`);
	return ok({ ...parsed.data, sessionId });
}

/** An agent that needs a login refuses to start a session with a short message. */
function howToLogIn({ authMethods }: Initialized): string {
	const method = authMethods[0];
	return method ? ` (if it is about logging in: ${method.description ?? method.name})` : '';
}

async function setAskingMode({ link, title, agent }: Asked, session: BegunSession): Promise<Result<OpenSession>> {
	const known = knownAgent(agent.agentInfo?.name);
	const begun = { ...session, known };
	const { askingMode } = known;
	if (askingMode === undefined || begun.modes?.currentModeId === askingMode) return ok(begun);
	const set = await link.request('session/set_mode', { sessionId: begun.sessionId, modeId: askingMode });
	return set.ok ? ok(begun) : failed(`${title} could not be switched to a mode that asks before it acts: ${set.error.message}`);
}

function failed(sentence: string): Result<never> {
	return err(new AppError('agent_failed', sentence));
}

type KnownAgent = {
	/** The mode in which it asks, where its default mode does not. */
	askingMode?: string | undefined;
	/** It reports the usage of the whole session at the end of a turn. */
	countsSession?: true | undefined;
};

const KNOWN: ReadonlyMap<string, KnownAgent> = new Map<string, KnownAgent>([
	// In its default mode a model reviews calls, and nobody is asked.
	['@agentclientprotocol/codex-acp', { askingMode: 'workspace-write' }],
	['Copilot', { countsSession: true }],
]);

function knownAgent(name: string | undefined): KnownAgent {
	return KNOWN.get(name ?? '') ?? {};
}

export type AcpLink = {
	request(method: string, params: JsonObject): Promise<Result<unknown>>;
	notify(method: string, params: JsonObject): void;
	complaint(): string;
	end(graceMs: number): void;
};

type AcpLinkDeps = Pick<LineProcessDeps, 'argv' | 'cwd' | 'env' | 'timers' | 'onSpawned'> & {
	onUpdate(update: AcpUpdate): void;
	/** Returns the whole response to a permission request. */
	onPermission(params: unknown): Promise<JsonObject>;
	/** Notifications that are newer than this code. */
	onUnknown(method: string, params: JsonObject): void;
	/** Output that is not part of the protocol. */
	onGarbage(head: string): void;
	onEnd(end: ProcessEnd): void;
};

const UPDATE = 'session/update';
const HEAD = 200;

export async function openAcpLink(deps: AcpLinkDeps): Promise<AcpLink> {
	// Loaded on demand: a runner without such an agent starts without it.
	const sdk = await import('@agentclientprotocol/sdk');
	const incoming = Promise.withResolvers<ReadableStreamDefaultController<AnyMessage>>();
	const readable = new ReadableStream<AnyMessage>({ start: incoming.resolve });
	const controller = await incoming.promise;
	let isOpen = true;

	const child: LineProcess = startLineProcess({
		...deps,
		onLine: take,
		onOversize: deps.onGarbage,
		onEnd(end) {
			isOpen = false;
			controller.close();
			deps.onEnd(end);
		},
	});

	/** Updates are handled in the order of the lines; the library would let a response overtake them. */
	function take(line: string): void {
		const message = parseMessage(line);
		const news = message && 'method' in message && message.method === UPDATE ? update.safeParse(message.params) : undefined;
		if (news?.success) deps.onUpdate(news.data.update);
		else if (message === null || news) deps.onGarbage(line.slice(0, HEAD));
		else controller.enqueue(message);
	}

	const writable = new WritableStream<AnyMessage>({ write: (message) => void child.write(JSON.stringify(message)) });
	const connection: ClientConnection = sdk
		.client({ name: 'roost' })
		.onRequest('*', async ({ method, params }) => {
			if (method === sdk.methods.client.session.requestPermission) return await deps.onPermission(params);
			throw sdk.RequestError.methodNotFound(method);
		})
		.onNotification('*', ({ method, params }) => deps.onUnknown(method, isJsonObject(params) ? params : { value: params }))
		.connect({ readable, writable });

	return {
		async request(method, params) {
			if (!isOpen) return err(new AppError('agent_failed', 'it has ended'));
			try {
				return ok(await connection.agent.request<unknown>(method, params));
			} catch (cause) {
				return err(new AppError('agent_failed', wordsOf(cause), { cause }));
			}
		},
		notify: (method, params) => void connection.agent.notify(method, params).catch(() => {}),
		complaint: child.complaint,
		end: child.end,
	};
}

/** Null for what is not a JSON-RPC message. */
export function parseMessage(line: string): AnyMessage | null {
	const parsed = parseBounded(line);
	return isMessage(parsed) ? parsed : null;
}

function isMessage(value: unknown): value is AnyMessage {
	if (!isJsonObject(value) || value.jsonrpc !== '2.0') return false;
	if (typeof value.method === 'string') return true;
	const hasResult = Object.hasOwn(value, 'result');
	const hasError = isJsonObject(value.error) && typeof value.error.code === 'number' && typeof value.error.message === 'string';
	return (typeof value.id === 'number' || typeof value.id === 'string') && hasResult !== hasError;
}

/** Agents put the details beside a generic message. */
function wordsOf(cause: unknown): string {
	if (!(cause instanceof Error)) return String(cause);
	const detail = 'data' in cause && isJsonObject(cause.data) ? (cause.data.details ?? cause.data.message) : undefined;
	return typeof detail === 'string' && detail !== cause.message ? `${cause.message}: ${detail}` : cause.message;
}
