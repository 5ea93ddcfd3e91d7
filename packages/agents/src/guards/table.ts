// What guarded agents may do, by capability and tool, in names of the normal form.

type Rights = {
	writes: boolean;
};

const READS: Rights = { writes: false };
const WRITES: Rights = { writes: true };

const CAPABILITIES: ReadonlyMap<string, Rights> = new Map([
	['scout', READS],
	['reviewer', READS],
	['lead', READS],
	['coordinator', READS],
	['monitor', READS],
	['builder', WRITES],
	['merger', WRITES],
]);

/** Unknown capabilities may only read. */
export function rightsOf(capability: string): Rights {
	return CAPABILITIES.get(capability) ?? READS;
}

/** They start agents that are not guarded. */
export const NATIVE_TEAM_TOOLS: ReadonlySet<string> = new Set(
	'Task Agent TeamCreate TeamDelete SendMessage TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop Workflow RemoteTrigger'.split(
		' ',
	),
);

/** They wait for a person, or leave the worktree. */
export const INTERACTIVE_TOOLS: ReadonlySet<string> = new Set(
	'AskUserQuestion EnterPlanMode EnterWorktree ExitWorktree'.split(' '),
);

export const WRITE_TOOLS: ReadonlySet<string> = new Set('Write Edit MultiEdit NotebookEdit'.split(' '));

/** The command line is in `command`. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'Monitor']);

/** Their input cannot be judged: parts of a line, or another language. */
export const UNREAD_SHELL_TOOLS: ReadonlySet<string> = new Set(['BashInput', 'PowerShell']);

/** For agents that only read, besides the shell. */
export const READING_TOOLS: ReadonlySet<string> = new Set(
	[
		'Read Grep Glob LS NotebookRead WebFetch WebSearch LSP ToolSearch TodoWrite TodoRead StructuredOutput',
		'BashOutput KillShell KillBash ListMcpResourcesTool ReadMcpResourceTool',
	].flatMap((line) => line.split(' ')),
);

/** Fields of the changed file. */
export const PATH_FIELDS: readonly string[] = ['file_path', 'notebook_path', 'path'];

/** Fields of unknown tools that may name a changed file. */
export const PATH_LIKE = /path|file|folder|dir(?:ectory)?$|^(?:cwd|dest|destination|target|output|out)$/i;

/** Fields of unknown tools that may contain code or input. */
export const COMMAND_LIKE = /command|^(?:cmd|script|code|shell|exec|program|argv|stdin|chars|keys|input|tool_uses)$/i;

const NOBODY = [
	['git', 'push'],
	['git', 'reset'],
] as const;
const NO_READER = [['rm'], ['git', 'commit']] as const;

/** First words of commands that no guarded agent may run, for the agents' own rules behind the guard. */
export function staticDenials(capability: string): readonly (readonly string[])[] {
	return rightsOf(capability).writes ? NOBODY : [...NOBODY, ...NO_READER];
}
