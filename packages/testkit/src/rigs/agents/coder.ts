// An agent that no machine has, so that tests say which program of its name is found.
import type { KnownAgent } from '@roost/agents/kind/agent-kind';

export const CODER: KnownAgent = {
	id: 'coder',
	title: 'Coder',
	program: 'coder',
	version: /^coder (\d+\.\d+\.\d+\S*)/m,
	oldest: '2.0.0',
	observed: null,
};
