// What an agent can do follows from how Roost reaches it; an adapter says only where its agent differs.
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';

type Differing = Partial<Omit<RuntimeCapabilities, 'agent'>>;

/** It reports and asks over its hooks; it is the user who drives it, in a terminal that also puts its questions. */
export function observedCapabilities(agent: string, differing: Differing = {}): RuntimeCapabilities {
	return {
		agent,
		canBlock: true,
		canAsk: true,
		questionHook: null,
		takesPrompts: false,
		canInterrupt: false,
		canResume: false,
		canLimitTurns: false,
		gate: { gated: true },
		...differing,
	};
}

/** Roost drives it, so all it wants goes through Roost, questions too. */
export function drivenCapabilities(agent: string, differing: Differing = {}): RuntimeCapabilities {
	return observedCapabilities(agent, {
		questionHook: 'PermissionRequest',
		takesPrompts: true,
		canInterrupt: true,
		canResume: true,
		...differing,
	});
}
