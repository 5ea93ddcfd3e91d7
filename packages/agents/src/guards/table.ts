// The one table of what guarded agents may do, by capability and by tool, in the names of the normal form.

type Rights = {
	/** May change files in its worktree. */
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

/** A capability that is not known may only read. */
export function rightsOf(capability: string): Rights {
	return CAPABILITIES.get(capability) ?? READS;
}

/** The agent's own ways to hand work on: whatever they start, nobody guards. */
export const NATIVE_TEAM_TOOLS: ReadonlySet<string> = new Set(
	'Task Agent TeamCreate TeamDelete SendMessage TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop Workflow RemoteTrigger'.split(
		' ',
	),
);

/** They wait for a person, and nobody sits in front of the agent, or take it out of its worktree. */
export const INTERACTIVE_TOOLS: ReadonlySet<string> = new Set(
	'AskUserQuestion EnterPlanMode EnterWorktree ExitWorktree'.split(' '),
);

export const WRITE_TOOLS: ReadonlySet<string> = new Set('Write Edit MultiEdit NotebookEdit'.split(' '));

/** They run a line in a shell, which is in `command`. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'Monitor']);

/** They reach a shell in a way that nobody can judge: by a piece of a line, or in another language. */
export const UNREAD_SHELL_TOOLS: ReadonlySet<string> = new Set(['BashInput', 'PowerShell']);

/** What agents that only read may call besides the shell. */
export const READING_TOOLS: ReadonlySet<string> = new Set(
	[
		'Read Grep Glob LS NotebookRead WebFetch WebSearch LSP ToolSearch TodoWrite TodoRead StructuredOutput',
		'BashOutput KillShell KillBash ListMcpResourcesTool ReadMcpResourceTool',
	].flatMap((line) => line.split(' ')),
);

/** Where a call of these names the file it changes. */
export const PATH_FIELDS: readonly string[] = ['file_path', 'notebook_path', 'path'];

/** Where a tool that is not known may name a file it changes. */
export const PATH_LIKE = /path|file|folder|dir(?:ectory)?$|^(?:cwd|dest|destination|target|output|out)$/i;

/** Where a tool that is not known may take something to run, or to type into what runs. */
export const COMMAND_LIKE = /command|^(?:cmd|script|code|shell|exec|program|argv|stdin|chars|keys|input|tool_uses)$/i;

const NOBODY = [
	['git', 'push'],
	['git', 'reset'],
] as const;
const NO_READER = [['rm'], ['git', 'commit']] as const;

/** Each as the first words of a command. */
export function staticDenials(capability: string): readonly (readonly string[])[] {
	return rightsOf(capability).writes ? NOBODY : [...NOBODY, ...NO_READER];
}
