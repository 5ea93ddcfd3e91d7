// The frames of the stream as bytes: a stored line is wrapped, never parsed or serialised again.
import { type ClientFrame, clientFrame, type ServerFrame } from '@roost/protocol/api/stream-frames';
import type { AppError } from '@roost/protocol/app-error';
import { z } from 'zod';
import { parseBoundedJson } from '../http/bounded-json.ts';
import { parse } from '../operations/api.ts';

export function lineFrame(line: string): Buffer {
	return Buffer.from(`{"type":"line","line":${line}}`);
}

export function toFrame(frame: ServerFrame): Buffer {
	return Buffer.from(JSON.stringify(frame));
}

/** A bad frame comes with the subscription or call that it names, if any. */
export type ReadClientFrame = { ok: true; value: ClientFrame } | { ok: false; error: AppError; about: About };

export type About = z.infer<typeof about>;

const name = z.string().min(1).max(64).optional().catch(undefined);
const about = z.object({ sub: name, id: name }).catch({});

export function parseClientFrame(text: string, maxDepth: number): ReadClientFrame {
	const json = parseBoundedJson(text, maxDepth);
	if (!json.ok) return { ...json, about: {} };
	const frame = parse('frame', clientFrame, json.value);
	return frame.ok ? frame : { ...frame, about: about.parse(json.value) };
}
