// The frames of the stream as bytes: a stored line is wrapped, never parsed or serialised again.
import { type ClientFrame, clientFrame, type ServerFrame } from '@roost/protocol/api/stream-frames';
import type { Result } from '@roost/protocol/result';
import { parseBoundedJson } from '../bounded-json.ts';
import { parse } from '../route.ts';

export function lineFrame(line: string): Buffer {
	return Buffer.from(`{"type":"line","line":${line}}`);
}

export function toFrame(frame: ServerFrame): Buffer {
	return Buffer.from(JSON.stringify(frame));
}

export function parseClientFrame(text: string, maxDepth: number): Result<ClientFrame> {
	const json = parseBoundedJson(text, maxDepth);
	return json.ok ? parse('frame', clientFrame, json.value) : json;
}
