// Tools that need no permission, by their names in the normal form. In enforce mode every other tool does, unknown ones too.
import type { ToolInput } from '@roost/protocol/feed/base';
import { names } from '../shell/flags.ts';

/** They only read, talk to the user, or start a subagent whose own calls are gated. Deny and ask rules still apply. The last line is Copilot's. */
const HARMLESS_TOOLS = names(`Read Glob Grep LS NotebookRead ToolSearch BashOutput TaskOutput TaskList TaskGet TodoRead
	TodoWrite TaskCreate TaskUpdate AskUserQuestion EnterPlanMode ExitPlanMode StructuredOutput Agent
	report_intent update_todo exit_plan_mode`);

/** With any other field a subagent may work elsewhere, where its calls are not seen. */
const PLAIN_SUBAGENT = names('description prompt subagent_type model mode name run_in_background');

/** Names are compared exactly: adapters map the native names of their tools. */
export function isHarmlessTool(tool: string, input: ToolInput = {}): boolean {
	return HARMLESS_TOOLS.has(tool) && (tool !== 'Agent' || Object.keys(input).every((field) => PLAIN_SUBAGENT.has(field)));
}
