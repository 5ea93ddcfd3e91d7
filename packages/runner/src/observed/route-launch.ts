// Passes the reports of an agent to the sessions they belong to, and decisions of the runtime itself back to the record.
import { silence } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { Engine, OpenSession } from '../engine/engine.ts';
import type { LiveSession } from '../engine/live-session.ts';
import type { Bindings } from './bindings.ts';
import { createForeignReports } from './foreign-reports.ts';

export type LaunchRoute = Disposable & {
	/** What its agent reported last, under a native id. */
	last(): RuntimeEvent | undefined;
};

export function routeLaunch(deps: {
	engine: Engine;
	bindings: Pick<Bindings, 'sessionFor'>;
	runtime: Runtime;
	project: OpenSession['project'];
	gate: GateMode;
	now: () => number;
	onProblem: (message: string) => void;
}): LaunchRoute {
	const { runtime, gate, project } = deps;
	const origin = { runtime, gate };
	const waiting = new Map<string, LiveSession>();
	const foreign = createForeignReports();
	let last: RuntimeEvent | undefined;

	const offEvent = runtime.onEvent((reported) => {
		const { id, parentId, refused } = deps.bindings.sessionFor(reported);
		const event = refused === undefined ? reported : foreign.withoutIdentity(reported);
		if (event.sessionId) last = event;
		const session = deps.engine.open({ id, parentId, project, runtime, gate });
		if (!session.ok) {
			deps.onProblem(session.error.message);
			if (event.interaction.expectsDecision)
				runtime.sendDecision(event.id, silence(gate, { source: 'system', reason: session.error.message }));
			return;
		}
		const fact = refused === undefined ? null : foreign.toFact(reported, refused);
		if (fact) session.value.post({ type: 'noted', fact, at: deps.now() }, origin);
		if (event.interaction.expectsDecision) waiting.set(event.id, session.value);
		session.value.post({ type: 'reported', event, at: deps.now() }, origin);
	});

	const offDecision = runtime.onDecision((requestId, decision) => {
		const session = waiting.get(requestId);
		waiting.delete(requestId);
		// Decisions of people and rules are recorded before they are sent; only decisions of the runtime itself are new.
		if (decision.source === 'timeout' || decision.source === 'system') {
			session?.post({ type: 'settled', requestId, decision, at: deps.now() }, origin);
		}
	});

	return {
		last: () => last,
		[Symbol.dispose]() {
			offEvent();
			offDecision();
		},
	};
}
