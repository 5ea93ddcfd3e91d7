// The NDJSON protocol between the forwarder and the server: one request per line, one reply per request.
import type { WireError } from '@roost/protocol/app-error';
import { z } from 'zod';

/** On the wire it also has a `secret`, which names the launch. */
export const hookEventEnvelope = z.object({
	request_id: z.string().min(1).max(200),
	ts: z.number(),
	session_id: z.string(),
	hook_event_name: z.string().min(1).max(200),
	payload: z.unknown(),
});
export type HookEventEnvelope = z.infer<typeof hookEventEnvelope>;

/** Hook output for the agent: nothing, or this JSON. */
export type HookResultPayload = { action: 'passthrough' } | { action: 'json_output'; stdout_json: Record<string, unknown> };

export type HookResultEnvelope = { request_id: string; ts: number; payload: HookResultPayload };

/** `request_id` is null where the line could not be parsed that far. */
export type HookErrorEnvelope = { request_id: string | null; ts: number; error: WireError };

const LEADING_SECRET = /^\s*\{\s*"secret"\s*:\s*"([A-Za-z0-9_-]{1,100})"/;

/** Senders put the secret first, so that an unparsable line can still be attributed to its launch. */
export function leadingSecret(line: string): string | undefined {
	return LEADING_SECRET.exec(line)?.[1];
}
