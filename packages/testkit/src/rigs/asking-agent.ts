// An agent that a test plays: it wants to do something, waits, and tells what it heard.
import { z } from 'zod';
import type { PlayedAgent } from './running-roost.ts';

/** What an agent is told: `behavior`, and what goes with it. */
export type Heard = z.infer<typeof heard>;

const heard = z.looseObject({ behavior: z.string(), updatedInput: z.record(z.string(), z.unknown()).optional() });
const hookReply = z.object({ hookSpecificOutput: z.object({ decision: heard }) });

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';

/** Resolves when somebody, or a rule, has decided. */
export async function askToUse(agent: PlayedAgent, tool: string, input: Record<string, unknown>): Promise<Heard> {
	const reply = await agent.report({
		hook_event_name: 'PermissionRequest',
		session_id: NATIVE,
		tool_name: tool,
		tool_input: input,
	});
	return hookReply.parse(JSON.parse(reply.body)).hookSpecificOutput.decision;
}
