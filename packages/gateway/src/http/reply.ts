// A reply before it is written: a status and a body, JSON unless its headers name another type.
import type { ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { Operation } from '@roost/protocol/contract/operation';
import type { QueuedCommand } from '@roost/protocol/hub/runners';

export type Reply = { status: number; body: string | Buffer | Readable; headers?: Record<string, string> };

export function jsonReply(value: unknown, status = 200): Reply {
	return { status, body: JSON.stringify(value) };
}

/** JSON text that is sent as it is, such as stored lines. */
export type RawJson = { readonly rawJson: string };

/** A file for the user, sent as it is made. */
export type Download = { readonly fileName: string; readonly parts: AsyncIterable<string> };

/** A command that will run later: the reply 202. */
export type Accepted = { readonly accepted: QueuedCommand };

/** From the result of a handler; undefined becomes an empty object. */
export function toReply({ status, media }: Pick<Operation, 'status' | 'media'>, value: unknown): Reply {
	if (isAccepted(value)) return jsonReply(value.accepted, 202);
	if (isDownload(value)) return downloadReply(value, media, status);
	if (media !== undefined) return textReply(String(value), media, status);
	if (isRawJson(value)) return { status, body: value.rawJson };
	return jsonReply(value ?? {}, status);
}

export function isAccepted(value: unknown): value is Accepted {
	return typeof value === 'object' && value !== null && 'accepted' in value;
}

export function isRawJson(value: unknown): value is RawJson {
	return typeof value === 'object' && value !== null && 'rawJson' in value && typeof value.rawJson === 'string';
}

export function isDownload(value: unknown): value is Download {
	return typeof value === 'object' && value !== null && 'fileName' in value && 'parts' in value;
}

/** Only plain characters can be in a header. */
function downloadReply({ fileName, parts }: Download, media = 'text/plain', status = 200): Reply {
	const name = fileName.replaceAll(/[^\w.-]/g, '_');
	const headers = {
		'content-type': `${media}; charset=utf-8`,
		'content-disposition': `attachment; filename="${name}"`,
	};
	return { status, body: Readable.from(parts, { objectMode: false }), headers };
}

export function textReply(body: string, media: string, status = 200): Reply {
	return { status, body, headers: { 'content-type': `${media}; charset=utf-8` } };
}

export function writeReply(response: ServerResponse, reply: Reply): void {
	response.writeHead(reply.status, toHeaders(reply));
	if (reply.body instanceof Readable) reply.body.pipe(response);
	else response.end(reply.body);
}

/** For connections without a response object: a refused upgrade, or bytes that are not HTTP. */
export function writeRawReply(socket: Duplex, reply: Reply): void {
	if (!socket.writable) {
		socket.destroy();
		return;
	}
	const head = Object.entries({ ...toHeaders(reply), connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
	socket.end(
		[`HTTP/1.1 ${reply.status} ${reply.status < 500 ? 'Refused' : 'Failed'}`, ...head, '', String(reply.body)].join('\r\n'),
	);
}

export function toHeaders(reply: Reply): Record<string, string> {
	return {
		...SECURITY_HEADERS,
		'content-type': 'application/json; charset=utf-8',
		...(reply.body instanceof Readable ? {} : { 'content-length': String(Buffer.byteLength(reply.body)) }),
		...reply.headers,
	};
}

/** In every response: no foreign scripts, no framing, no type sniffing, no caching. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	'content-security-policy': [
		"default-src 'none'",
		...['script', 'style', 'connect', 'img', 'font', 'manifest', 'worker'].map((kind) => `${kind}-src 'self'`),
		...['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`),
		"require-trusted-types-for 'script'",
		'trusted-types roost',
	].join('; '),
	'x-frame-options': 'DENY',
	'x-content-type-options': 'nosniff',
	'cache-control': 'no-store',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
};
