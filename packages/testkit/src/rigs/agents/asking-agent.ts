// An agent that a test plays: it wants to do something, waits, and tells what it heard.
import type { PlayedAgent } from '../runner/runner-rig.ts';

/** What an agent is told, with what goes with it. */
export type Heard = { readonly behavior: string; readonly updatedInput?: Readonly<Record<string, unknown>> };

type HookReply = { readonly hookSpecificOutput: { readonly decision: Heard } };

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';

/** Resolves when somebody, or a rule, has decided. Agents with other native ids are other sessions. */
export async function askToUse(
	agent: PlayedAgent,
	tool: string,
	input: Record<string, unknown>,
	native = NATIVE,
): Promise<Heard> {
	const { body } = await agent.report({
		hook_event_name: 'PermissionRequest',
		session_id: native,
		tool_name: tool,
		tool_input: input,
	});
	const reply: HookReply = JSON.parse(body);
	return reply.hookSpecificOutput.decision;
}

/** Its user said something; resolves when the runner has taken it. */
export async function sayPrompt(agent: PlayedAgent, prompt: string, native = NATIVE): Promise<void> {
	await agent.report({ hook_event_name: 'UserPromptSubmit', session_id: native, prompt });
}
