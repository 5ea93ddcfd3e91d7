// Unix socket listener: NDJSON from the forwarder, many requests per connection; and the path of its socket.

import { createHash } from 'node:crypto';
import { chmod, readdir, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLineFramer, type Frame } from '@roost/machine/lines';
import { warnOfFailure } from '@roost/machine/listeners';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { Wait } from '../base/runtime-core.ts';
import { parseBoundedJson } from './bounded-json.ts';
import {
	type HookErrorEnvelope,
	type HookEventEnvelope,
	type HookResultEnvelope,
	hookEventEnvelope,
	leadingSecret,
} from './envelope.ts';
import type { HookTarget } from './hook-targets.ts';
import type { ListenerDeps } from './http-listener.ts';

export type SocketListener = { close(): Promise<void> };

const MAX_CONNECTIONS = 512;
const CLOSE_GRACE_MS = 1000;

export async function openSocketListener(deps: ListenerDeps, socketPath: string): Promise<SocketListener> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		serve(deps, socket);
	});
	server.maxConnections = MAX_CONNECTIONS;
	await listen(server, socketPath);
	await chmod(socketPath, 0o600);
	return { close: () => closeDoor(server, sockets, socketPath) };
}

function serve(deps: ListenerDeps, socket: Socket): void {
	const framer = createLineFramer(deps.maxBytes);
	const waits = new Set<Wait>();
	let known: HookTarget | undefined;

	socket.on('data', (chunk: Buffer) => {
		for (const frame of framer.push(chunk)) takeSafely(frame);
	});
	socket.on('end', () => {
		for (const frame of framer.end()) takeSafely(frame);
	});
	socket.on('drain', () => socket.resume());
	socket.on('error', () => {});
	socket.on('close', () => {
		for (const wait of waits) wait.abandon();
	});

	/** Later lines are still served; after an error the forwarder decides as its gate says. */
	function takeSafely(frame: Frame): void {
		try {
			take(frame);
		} catch (cause) {
			warnOfFailure('A hook request', cause);
			send({ request_id: null, ts: deps.now(), error: UNPROCESSED.toJSON() });
		}
	}

	function take(frame: Frame): void {
		const request = readRequest(deps, frame);
		const target = request.secret === undefined ? known : deps.findTarget(request.secret);
		if ('error' in request) refuse(request, target);
		else if (!target || request.secret === undefined) refuse({ ...request, error: UNAUTHORIZED }, undefined);
		else {
			known = target;
			accept(target, request.envelope);
		}
	}

	function accept(target: HookTarget, envelope: HookEventEnvelope): void {
		let wait: Wait | undefined;
		let answered = false;
		const accepted = target.accept(envelope, (payload) => {
			answered = true;
			if (wait) waits.delete(wait);
			send({ request_id: envelope.request_id, ts: deps.now(), payload });
		});
		if (!accepted.ok) send({ request_id: envelope.request_id, ts: deps.now(), error: accepted.error.toJSON() });
		else if (!answered) {
			wait = accepted.value;
			waits.add(wait);
		}
	}

	function refuse({ error, requestId }: { error: AppError; requestId: string | null }, target: HookTarget | undefined): void {
		if (target) target.report({ code: error.code, message: error.message, detail: requestId ?? undefined });
		else deps.onRefused(error);
		send({ request_id: requestId, ts: deps.now(), error: error.toJSON() });
	}

	/** Backpressure: stop reading from a client that does not read its replies. */
	function send(reply: HookResultEnvelope | HookErrorEnvelope): void {
		if (socket.writable && !socket.write(`${JSON.stringify(reply)}\n`)) socket.pause();
	}
}

const UNPROCESSED = new AppError('internal', 'the request could not be processed');
const UNAUTHORIZED = new AppError('unauthorized', 'the hook secret is missing or wrong');

type Origin = { secret: string | undefined; requestId: string | null };

/** The request of one line, with the secret even where the rest is unreadable. */
function readRequest(deps: ListenerDeps, frame: Frame): Origin & ({ envelope: HookEventEnvelope } | { error: AppError }) {
	if (frame.type === 'oversize') {
		const error = new AppError('too_large', `the line is longer than ${deps.maxBytes} bytes`);
		return { secret: leadingSecret(frame.head), requestId: null, error };
	}
	const parsed = parseBoundedJson(frame.text);
	if (!parsed.ok) return { secret: leadingSecret(frame.text), requestId: null, error: parsed.error };
	const raw = isJsonObject(parsed.value) ? parsed.value : {};
	const origin = { secret: stringAt(raw, 'secret'), requestId: stringAt(raw, 'request_id') ?? null };
	const envelope = hookEventEnvelope.safeParse(parsed.value);
	// The sender's clock is not trusted.
	if (envelope.success) return { ...origin, envelope: { ...envelope.data, ts: deps.now() } };
	const [issue] = envelope.error.issues;
	return { ...origin, error: new AppError('bad_request', `not a hook request: ${issue?.path.join('.')}: ${issue?.message}`) };
}

function listen(server: Server, path: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject).listen(path, resolve);
	});
}

async function closeDoor(server: Server, sockets: Set<Socket>, path: string): Promise<void> {
	await new Promise<void>((resolve) => {
		const force = setTimeout(() => {
			for (const socket of sockets) socket.destroy();
		}, CLOSE_GRACE_MS);
		server.close(() => {
			clearTimeout(force);
			resolve();
		});
		// Written replies are sent first.
		for (const socket of sockets) socket.destroySoon();
	});
	// The next runner removes a leftover socket.
	await rm(path, { force: true }).catch(() => {});
}

const MAX_PATH_BYTES = 103;

/** In the run directory if that is short enough, else in a private directory below the temporary one. */
export function hookSocketPath(runDir: string, key: string): Result<string> {
	const own = ensurePrivateDirectory(runDir);
	if (!own.ok) return own;
	const name = `${createHash('sha256').update(`${own.value}\0${key}`).digest('hex').slice(0, 16)}.sock`;
	const near = join(own.value, name);
	if (fits(near)) return ok(near);
	const fallback = join(tmpdir(), `roost-${process.getuid?.() ?? 'user'}`);
	const far = join(fallback, name);
	if (!fits(far))
		return err(
			new AppError('cannot_start', `no socket path under ${runDir} or ${tmpdir()} is short enough; set a shorter TMPDIR`),
		);
	const shared = ensurePrivateDirectory(fallback);
	return shared.ok ? ok(far) : shared;
}

function fits(path: string): boolean {
	return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

const OURS = /^[0-9a-f]{16}\.sock$/;

/** Removes sockets of killed runners. Only names that this module creates. */
export async function removeDeadSockets(socketPath: string): Promise<void> {
	const dir = dirname(socketPath);
	const names = (await readdir(dir)).filter((name) => OURS.test(name));
	await Promise.all(names.map((name) => removeIfDead(join(dir, name))));
}

async function removeIfDead(path: string): Promise<void> {
	if (await isRefused(path)) await rm(path, { force: true });
}

/** Only a refused connection proves that nothing listens. */
function isRefused(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createConnection(path);
		socket.on('connect', () => {
			socket.destroy();
			resolve(false);
		});
		socket.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
	});
}
