// How much harm a tool call could do, for those who are asked: low, medium or high.
import type { Risk } from '@roost/protocol/ask';
import type { ToolInput } from '@roost/protocol/feed/base';
import { mainArgument } from '../rules/argument.ts';
import { isSensitivePath } from './sensitive-path.ts';
import { assessShellRisk } from './shell-risk.ts';

export function assessRisk(tool: string, input: ToolInput): Risk {
	if (LOW.has(tool)) return 'low';
	if (UNREAD_SHELLS.has(tool)) return 'high';
	const argument = mainArgument(tool, input);
	if (argument.kind === 'shell') return assessShellRisk(argument.text);
	if (WRITERS.has(tool) && isSensitivePath(argument.text)) return 'high';
	return 'medium';
}

/** Another language, or a piece of a line that is typed into a shell. */
const UNREAD_SHELLS = new Set(['PowerShell', 'BashInput']);
const LOW = new Set(
	[
		'Read Glob Grep LS NotebookRead TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput BashOutput',
		'AskUserQuestion WebSearch ToolSearch EnterPlanMode ExitPlanMode',
	].flatMap((line) => line.split(' ')),
);
const WRITERS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
