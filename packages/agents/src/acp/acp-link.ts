// The process of an agent and the protocol spoken with it: requests go down, news and questions come up. Bounded, and never throws.
import type { AnyMessage, ClientConnection } from '@agentclientprotocol/sdk';
import { type LineProcess, type LineProcessDeps, type ProcessEnd, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBounded } from '../hooks/bounded-json.ts';
import { type AcpUpdate, update } from './acp-messages.ts';

export type AcpLink = {
	/** What the agent answered, or its own words why not. */
	request(method: string, params: JsonObject): Promise<Result<unknown>>;
	notify(method: string, params: JsonObject): void;
	complaint(): string;
	end(graceMs: number): void;
};

export type AcpLinkDeps = Pick<LineProcessDeps, 'argv' | 'cwd' | 'env' | 'timers' | 'onSpawned'> & {
	onUpdate(update: AcpUpdate): void;
	/** The agent wants permission; what is returned is the whole answer. */
	onPermission(params: unknown): Promise<JsonObject>;
	/** News that the protocol did not have when this was written. */
	onUnknown(method: string, params: JsonObject): void;
	/** What it wrote that is not of the protocol. */
	onGarbage(head: string): void;
	onEnd(end: ProcessEnd): void;
};

const UPDATE = 'session/update';
const HEAD = 200;

export async function openAcpLink(deps: AcpLinkDeps): Promise<AcpLink> {
	// Loaded when it is needed: a runner that drives no such agent starts without it.
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

	/** News are heard at once, in the order of the lines; the library would let an answer overtake them. */
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

/** Null for what is no message of JSON-RPC. */
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

/** Agents put what happened beside a message that says only that something did. */
function wordsOf(cause: unknown): string {
	if (!(cause instanceof Error)) return String(cause);
	const detail = 'data' in cause && isJsonObject(cause.data) ? (cause.data.details ?? cause.data.message) : undefined;
	return typeof detail === 'string' && detail !== cause.message ? `${cause.message}: ${detail}` : cause.message;
}
