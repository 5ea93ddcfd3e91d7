// A native hook payload → RuntimeEvent. Total: whatever arrives becomes an event.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import { isJsonObject } from '../../base/json-object.ts';
import { readRuntimeEvent } from '../../base/to-event.ts';
import type { HookEventEnvelope } from '../../hooks/envelope.ts';
import { authorOf } from './task-notification.ts';

export function mapEnvelopeToRuntimeEvent(envelope: HookEventEnvelope): RuntimeEvent {
	const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
	const { request_id: id, ts: timestamp, hook_event_name: hookName, session_id: sessionId } = envelope;
	return readRuntimeEvent({ id, timestamp, sessionId }, hookName, { ...payload, ...authorOf(hookName, payload) });
}
