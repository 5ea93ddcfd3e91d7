// How the agent of a story and its subagents report: whole events of one session, and answers to what they ask.
import type { EventParts } from '@roost/agents/mock/fill-defaults';
import type { InjectableMockRuntime } from '@roost/agents/mock/injectable';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { EventBase } from '@roost/core/runtime/event';

export type StoryReporter = {
	report(hookName: string, payload: Record<string, unknown>): void;
	ask(hookName: string, payload: Record<string, unknown>): Promise<RuntimeDecision>;
	newId(): string;
	/** The same session, somebody else. */
	as(agentId: string, agentType: string): StoryReporter;
};

export type StoryReporterDeps = {
	runtime: InjectableMockRuntime;
	/** What the agent calls its session itself. */
	nativeId: string;
	context: EventBase['context'];
	now: () => number;
};

export function createStoryReporter({ runtime, nativeId, context, now }: StoryReporterDeps): StoryReporter {
	const waiting = new Map<string, (decision: RuntimeDecision) => void>();
	let ids = 0;
	const newId = () => `${nativeId}-${++ids}`;
	runtime.onDecision((id, decision) => {
		waiting.get(id)?.(decision);
		waiting.delete(id);
	});

	function speak(who: EventParts): StoryReporter {
		function emit(hookName: string, payload: Record<string, unknown>, more: EventParts): void {
			runtime.emit({ hookName, sessionId: nativeId, context, timestamp: now(), ...who, ...more, payload });
		}
		return {
			report: (hookName, payload) => emit(hookName, payload, {}),
			ask(hookName, payload) {
				const id = newId();
				const { promise, resolve } = Promise.withResolvers<RuntimeDecision>();
				waiting.set(id, resolve);
				emit(hookName, payload, { id });
				return promise;
			},
			newId,
			as: (agentId, agentType) => speak({ agentId, agentType }),
		};
	}
	return speak({});
}
