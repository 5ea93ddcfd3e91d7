// Records the end of an agent that did not report it: it was killed, or its last hook was interrupted.
import { toRuntimeEvent } from '@roost/agents/base/to-event';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { SessionInput } from '@roost/core/session/step';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Engine } from '../engine/engine.ts';

/** `last`: the last report, if there was one; it names the transcript, which is read as at any end. */
export async function noteEnd(
	deps: { engine: Engine; now: () => number },
	id: SessionId,
	last: RuntimeEvent | undefined,
): Promise<Result<void>> {
	const session = deps.engine.session(id);
	if (!session.ok) return session;
	if (session.value.row().status === 'ended') return ok(undefined);
	return await session.value.submit(toEnd(last, deps.now()));
}

function toEnd(last: RuntimeEvent | undefined, at: number): SessionInput {
	if (!last) return { type: 'noted', fact: { kind: 'session.end', data: { reason: 'other' } }, at };
	const { id, sessionId, context } = last;
	const message = { cwd: context.cwd, transcript_path: context.transcriptPath, reason: 'other' };
	return {
		type: 'reported',
		event: toRuntimeEvent({ id: `${id}:end`, timestamp: at, sessionId }, 'SessionEnd', message),
		at,
	};
}
