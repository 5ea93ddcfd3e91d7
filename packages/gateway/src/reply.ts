// An answer to a request before it is written: a status and the bytes of a body, JSON unless its headers say otherwise.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ok, type Result } from '@roost/protocol/result';
import { SECURITY_HEADERS } from './headers.ts';

export type Reply = { status: number; body: string; headers?: Record<string, string> };

export function jsonReply(value: unknown, status = 200): Reply {
	return { status, body: JSON.stringify(value) };
}

/** What a desk answered, as JSON; nothing at all is an empty object. */
export function toReply(result: Result<unknown>, status = 200): Result<Reply> {
	return result.ok ? ok(jsonReply(result.value ?? {}, status)) : result;
}

export function textReply(body: string, media: string, status = 200): Reply {
	return { status, body, headers: { 'content-type': `${media}; charset=utf-8` } };
}

export function writeReply(response: ServerResponse, reply: Reply): void {
	response.writeHead(reply.status, toHeaders(reply));
	response.end(reply.body);
}

/** For connections without a response object: a refused upgrade, or bytes that are no HTTP. */
export function writeRawReply(socket: Duplex, reply: Reply): void {
	if (!socket.writable) {
		socket.destroy();
		return;
	}
	const head = Object.entries({ ...toHeaders(reply), connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
	socket.end([`HTTP/1.1 ${reply.status} ${reply.status < 500 ? 'Refused' : 'Failed'}`, ...head, '', reply.body].join('\r\n'));
}

export function toHeaders(reply: Reply): Record<string, string> {
	return {
		...SECURITY_HEADERS,
		'content-type': 'application/json; charset=utf-8',
		'content-length': String(Buffer.byteLength(reply.body)),
		...reply.headers,
	};
}
