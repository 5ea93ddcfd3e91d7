// The bus over NATS, core only: nothing is stored there. Connects in the background, and again whenever it is lost.
import { setTimeout as delay } from 'node:timers/promises';
import { connect, createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { warnOfFailure } from '@roost/machine/listeners';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Bus, brokenReply, disconnected, isTooLong, noReply, noResponders, tooLong } from './bus.ts';
import { joinParts, splitReply } from './reply-parts.ts';

export type NatsBusOptions = {
	/** `nats://[user:password@]host[:port]`, or `tls://…`. */
	url: string;
	/** Of all subjects: hubs can share a server. */
	prefix: string;
	warn: (sentence: string) => void;
};

const RETRY_MS = 500;
/** A dead server is noticed within three pings; by default it takes minutes. */
const PING_MS = 5_000;
const MOST_PINGS = 2;
const CONNECT_MS = 3_000;
const FLUSH_MS = 1_000;
const NO_RESPONDERS = 503;

type Interest = { start(to: NatsConnection): Subscription; current: Subscription | undefined };

/** The address is checked; the server need not be there yet. */
export function openNatsBus({ url, prefix, warn }: NatsBusOptions): Result<Bus> {
	const server = toServer(url);
	if (!server.ok) return server;
	const { place, options } = server.value;
	const interests = new Set<Interest>();
	const cuts = new Set<() => void>();
	const closing = new AbortController();
	let connection: NatsConnection | undefined;
	let isUp = false;

	function setUp(up: boolean): void {
		if (isUp && !up && !closing.signal.aborted) warn(lost(place));
		isUp = up;
		if (!up) for (const cut of [...cuts]) cut();
	}

	async function keepConnected(): Promise<void> {
		let isReported = false;
		while (!closing.signal.aborted) {
			try {
				connection = await connect({ ...options, name: 'roost hub', noEcho: true, ...LIMITS });
			} catch (cause) {
				if (!isReported) warn(unreachable(place, cause));
				isReported = true;
				await delay(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
				continue;
			}
			isReported = false;
			if (closing.signal.aborted) break;
			for (const interest of interests) interest.current = interest.start(connection);
			setUp(true);
			for await (const { type } of connection.status()) {
				if (type === 'disconnect') setUp(false);
				else if (type === 'reconnect') setUp(true);
			}
			setUp(false);
		}
		await connection?.close();
	}
	const connected = keepConnected();
	const current = () => (isUp ? connection : undefined);

	function add(start: Interest['start']): () => void {
		const interest: Interest = { start, current: connection && !connection.isClosed() ? start(connection) : undefined };
		interests.add(interest);
		return () => {
			interests.delete(interest);
			interest.current?.unsubscribe();
		};
	}

	async function answer(message: Msg, handler: (text: string) => Promise<string>): Promise<void> {
		const reply = await handler(message.string()).catch((error: unknown) => {
			warnOfFailure('A reply to another node', error);
			return undefined;
		});
		if (current()) for (const part of splitReply(reply)) message.respond(part);
	}

	return ok({
		publish(subject, text) {
			if (!isTooLong(text)) current()?.publish(`${prefix}.${subject}`, text);
		},
		subscribe: (subject, handler) => add((to) => listen(to, `${prefix}.${subject}`, (message) => handler(message.string()))),
		async request(subject, text, timeoutMs) {
			const to = current();
			if (!to) return err(disconnected());
			if (isTooLong(text)) return err(tooLong());
			const { promise, resolve } = Promise.withResolvers<Result<string>>();
			const cut = () => resolve(err(disconnected()));
			const timer = setTimeout(() => resolve(err(noReply(timeoutMs))), timeoutMs);
			const inbox = createInbox();
			const join = joinParts((reply) => resolve(reply === undefined ? err(brokenReply()) : ok(reply)));
			const replies = to.subscribe(inbox, {
				callback(error, message) {
					if (error) cut();
					else if (message.headers?.code === NO_RESPONDERS) resolve(err(noResponders()));
					else join(message.data);
				},
			});
			cuts.add(cut);
			to.publish(`${prefix}.${subject}`, text, { reply: inbox });
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
				cuts.delete(cut);
				replies.unsubscribe();
			}
		},
		// In one group, so that a runner with two connections gets each request once.
		serve: (subject, handler) =>
			add((to) => listen(to, `${prefix}.${subject}`, (message) => void answer(message, handler), { queue: 'node' })),
		isConnected: () => isUp,
		async [Symbol.asyncDispose]() {
			closing.abort();
			for (const { current } of interests) current?.unsubscribe();
			// The server then refuses requests to this node at once.
			if (isUp) await Promise.race([connection?.flush(), delay(FLUSH_MS, undefined, { ref: false })]).catch(() => undefined);
			await connection?.close();
			await connected;
		},
	});
}

/** An exception would end the connection. */
function listen(to: NatsConnection, subject: string, handler: (message: Msg) => void, options = {}): Subscription {
	function callback(error: Error | null, message: Msg): void {
		if (error) return;
		try {
			handler(message);
		} catch (thrown) {
			warnOfFailure('A listener of the bus', thrown);
		}
	}
	return to.subscribe(subject, { ...options, callback });
}

const LIMITS = {
	maxReconnectAttempts: -1,
	ignoreAuthErrorAbort: true,
	reconnectTimeWait: RETRY_MS,
	pingInterval: PING_MS,
	maxPingOut: MOST_PINGS,
	timeout: CONNECT_MS,
};

type Server = { place: string; options: { servers: string; user?: string; pass?: string; tls?: Record<string, never> } };

function toServer(text: string): Result<Server> {
	const url = URL.parse(text);
	if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') return err(notAnAddress());
	const servers = `${url.hostname}:${url.port || '4222'}`;
	const named = url.username === '' ? {} : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
	return ok({ place: servers, options: { servers, ...named, ...(url.protocol === 'tls:' ? { tls: {} } : {}) } });
}

/** Without the address, which may contain a password. */
function notAnAddress(): AppError {
	return new AppError('usage', 'The URL of the NATS server is not valid. Write it as nats://host:4222 or tls://host:4222.');
}

function lost(place: string): string {
	return `The connection to the NATS server at ${place} was lost. The nodes of the hub read from the database until it is back.`;
}

function unreachable(place: string, cause: unknown): string {
	const why = cause instanceof Error ? cause.message : 'unknown error';
	return `The NATS server at ${place} cannot be used (${why}). The nodes of the hub read from the database until it can.`;
}
