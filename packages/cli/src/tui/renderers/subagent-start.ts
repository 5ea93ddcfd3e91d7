// A subagent began to work.
import type { Renderer } from './renderer.ts';
import { titled } from './titled.ts';

export const subagentStart: Renderer<'subagent.start'> = titled(
	'branch',
	'accent',
	({ data }) => `Subagent ${data.agent_type || data.agent_id} started`,
);
