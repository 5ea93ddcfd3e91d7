// An agent as the API lists it: a scripted one, that can be started and needs no program.
import type { AgentRow } from '@roost/protocol/api/agents';

export function sampleAgentRow(over: Partial<AgentRow> = {}): AgentRow {
	return {
		id: 'mock',
		title: 'Scripted agent',
		takesPrompts: true,
		canResume: true,
		canInterrupt: true,
		program: null,
		observed: null,
		guarded: null,
		guardProof: null,
		proven: null,
		...over,
	};
}
