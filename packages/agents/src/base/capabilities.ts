// Default capabilities by how Roost reaches an agent; an adapter states only the differences.
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';

type Differing = Partial<Omit<RuntimeCapabilities, 'agent'>>;

/** The user drives it in a terminal; it reports and asks over hooks. */
export function observedCapabilities(agent: string, differing: Differing = {}): RuntimeCapabilities {
	return {
		agent,
		canBlock: true,
		canAsk: true,
		questionHook: null,
		allowHook: 'PermissionRequest',
		takesPrompts: false,
		canInterrupt: false,
		canResume: false,
		canLimitTurns: false,
		gate: { gated: true },
		...differing,
	};
}

/** Roost drives it: calls and questions go through Roost. */
export function drivenCapabilities(agent: string, differing: Differing = {}): RuntimeCapabilities {
	return observedCapabilities(agent, {
		questionHook: 'PermissionRequest',
		takesPrompts: true,
		canInterrupt: true,
		canResume: true,
		...differing,
	});
}
