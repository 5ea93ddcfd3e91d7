// The tools that nobody has to permit, by their names in the normal form. In enforce mode every other tool is asked for, unknown ones too.
import type { ToolInput } from '@roost/protocol/feed/base';

/** They only read, talk to the user, or start a subagent whose own calls are asked for. Deny and ask rules still apply to them. */
const HARMLESS_TOOLS: ReadonlySet<string> = new Set(
	[
		'Read Glob Grep LS NotebookRead ToolSearch BashOutput TaskOutput TaskList TaskGet TodoRead',
		'TodoWrite TaskCreate TaskUpdate AskUserQuestion EnterPlanMode ExitPlanMode StructuredOutput Agent',
		// Copilot's, which have no other name in the normal form.
		'report_intent update_todo exit_plan_mode',
	].flatMap((line) => line.split(' ')),
);

/** With any other field a subagent may work elsewhere, where its calls are not seen. */
const PLAIN_SUBAGENT: ReadonlySet<string> = new Set(
	'description prompt subagent_type model mode name run_in_background'.split(' '),
);

/** Names are compared exactly: what an adapter does not recognise as one of these tools is not one. */
export function isHarmlessTool(tool: string, input: ToolInput = {}): boolean {
	return HARMLESS_TOOLS.has(tool) && (tool !== 'Agent' || Object.keys(input).every((field) => PLAIN_SUBAGENT.has(field)));
}
