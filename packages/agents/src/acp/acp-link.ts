// The process of an ACP agent and the messages exchanged with it. Bounded; never throws.
import type { AnyMessage, ClientConnection } from '@agentclientprotocol/sdk';
import { type LineProcess, type LineProcessDeps, type ProcessEnd, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBounded } from '../hooks/bounded-json.ts';
import { type AcpUpdate, update } from './acp-messages.ts';

export type AcpLink = {
	request(method: string, params: JsonObject): Promise<Result<unknown>>;
	notify(method: string, params: JsonObject): void;
	complaint(): string;
	end(graceMs: number): void;
};

export type AcpLinkDeps = Pick<LineProcessDeps, 'argv' | 'cwd' | 'env' | 'timers' | 'onSpawned'> & {
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
