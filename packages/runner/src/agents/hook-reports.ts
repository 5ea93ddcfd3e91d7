// What the hooks of each agent told last of what it does, and when. Of one that is no longer listened to, nothing is known.
import type { StatusEvidence } from '@roost/agents/base/status-source';
import { findKind } from '@roost/agents/kinds';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { SessionId } from '@roost/protocol/ids';

export type HookReports = {
	heard(id: SessionId, event: RuntimeEvent, runtime: Runtime): void;
	/** Null where its hooks told nothing, or before an agent that is gone. */
	last(id: SessionId): StatusEvidence | null;
};

type Update = {
	runtime: Runtime;
	said: StatusEvidence | null;
	/** What it waits to hear from Roost, by request. */
	asked: Map<string, StatusEvidence>;
	unsubscribe: () => void;
};

export function createHookReports({ now }: { now: () => number }): HookReports {
	const bySession = new Map<SessionId, Update>();

	function toldBy(id: SessionId, runtime: Runtime): Update {
		const known = bySession.get(id);
		if (known?.runtime === runtime) return known;
		known?.unsubscribe();
		forgetGone();
		const told: Update = {
			...{ runtime, said: null, asked: new Map() },
			unsubscribe: runtime.onDecision((request, decision) => answer(told, request, decision)),
		};
		bySession.set(id, told);
		return told;
	}

	function forgetGone(): void {
		for (const [id, { runtime, unsubscribe }] of bySession) {
			if (runtime.getStatus() === 'running') continue;
			unsubscribe();
			bySession.delete(id);
		}
	}

	/** Once it heard a decision it goes on; without an opinion of Roost it asks in its own dialog. */
	function answer(told: Update, request: string, { verdict }: RuntimeDecision): void {
		if (!told.asked.delete(request) || verdict.type === 'none') return;
		if (told.said?.status === 'waiting') told.said = { status: 'busy', at: now() };
	}

	return {
		heard(id, event, runtime) {
			const source = findKind(runtime.capabilities.agent)?.status;
			if (!source) return;
			const told = toldBy(id, runtime);
			told.said = source.foldReport(told.said, event);
			if (event.interaction.expectsDecision) told.asked.set(event.id, source.whileAsked(event));
		},
		last(id) {
			const told = bySession.get(id);
			if (told?.runtime.getStatus() !== 'running') return null;
			return [...told.asked.values()].at(-1) ?? told.said;
		},
	};
}
