// How to launch, configure, recognise and read one kind of agent. Everything that differs between agents is behind this.
import type { UsageByModel } from '@roost/core/usage/tally';
import type { ToolInput } from '@roost/protocol/feed/base';

export type AgentAdapter = {
	/** The name it is asked for by: `claude`, `codex`, `pi`, `copilot`. */
	readonly id: string;
	/** As people know it: "Claude Code". */
	readonly title: string;
	/** The program's name, as it is looked for on the PATH. */
	readonly program: string;
	/** Where the agent itself looks for instructions in a worktree. */
	readonly instructionPath: string;
	/** Callers branch on this, never on the presence of a member. */
	readonly traits: AgentTraits;

	/** For tmux: one shell command, quoted; `cwd` and `env` are set on the tmux session and are not part of it. */
	buildSpawnCommand(opts: SpawnOpts): string;
	/** One question, one answer, no terminal: the answer is what it prints. To be run with its input closed. */
	buildPrintCommand(prompt: string, model?: string): string[];
	/** Never changes a file that git tracks. Without an overlay only guards are deployed. */
	deployConfig(worktreePath: string, overlay: OverlayContent | undefined, hooks: HooksDef): Promise<Deployed>;
	/** What the screen of its terminal says: dialogs first, then whether it works, then whether it is ready. */
	detectReady(paneContent: string): ReadyState;
	/** Null where the file is missing or cannot be read as one of this agent's; never throws. */
	parseTranscript(path: string): Promise<TranscriptSummary | null>;
	/** For its model and provider, and who it is: `ROOST_AGENT_NAME`, `ROOST_WORKTREE_PATH`. */
	buildEnv(model: ResolvedModel, who?: AgentIdentity): Record<string, string>;

	/** Whether a first prompt may be swallowed while its screen is still being built, so that it must be seen to be believed. */
	requiresBeaconVerification?(): boolean;
	/** Speaks to a process of it that was started for that (`traits.connects`), in place of its terminal. */
	connect?(process: RpcProcessHandle): RuntimeConnection;
};

type AgentTraits = {
	/** It has a terminal of its own that can be driven by keys. */
	hasTerminal: boolean;
	/** `requiresBeaconVerification` is there and says yes. */
	verifiesBeacon: boolean;
	/** `connect` is there; the arguments that make its program speak. */
	connects: { argv: readonly string[] } | null;
	/** How its guards are made to fire, for people. */
	guard: string;
	/** Where it tells its end before its transcript is written: what the last line of a whole one is. */
	isLastLine?: ((line: string) => boolean) | undefined;
};

export type SpawnOpts = {
	/** An alias or a name with its provider: `sonnet`, `openrouter/gpt-5`. */
	model: string;
	/** `bypass`: it asks nobody, because guards stand in its way. `ask`: it asks in its terminal. */
	permissionMode: 'bypass' | 'ask';
	systemPrompt?: string | undefined;
	appendSystemPrompt?: string | undefined;
	/** Too long for a command line otherwise. */
	appendSystemPromptFile?: string | undefined;
	cwd: string;
	env: Record<string, string>;
	/** What is started: an absolute path, and arguments that belong to it; else whatever has the agent's name on the PATH. */
	program?: readonly [string, ...string[]] | undefined;
	/** What `deployConfig` gave back for this agent. */
	deployed?: Deployed | undefined;
};

export type OverlayContent = {
	/** The whole text of the agent's instructions, as markdown. */
	content: string;
};

export type HooksDef = {
	agentName: string;
	/** `builder`, `scout`, `reviewer`, `lead`, `coordinator`, `monitor`, `merger`. */
	capability: string;
	/** Absolute. Nothing is written outside of it. */
	worktreePath: string;
	/** Absolute, outside the worktree: what Roost deploys for this agent lies here, where git does not see it. */
	stateDir: string;
	/** The agent's environment, which says where it keeps its settings; else that of this process. It is not written down. */
	env?: Readonly<Record<string, string | undefined>> | undefined;
	/** What must pass before the agent may report that it is done. */
	qualityGates?: QualityGate[] | undefined;
};

export type QualityGate = { name: string; command: string; description?: string | undefined };

/** What a deployment asks of whoever starts the agent, and how to take it away again. */
export type Deployed = {
	/** Arguments and variables that make the agent use it; `buildSpawnCommand` puts the arguments where they belong. */
	argv: readonly string[];
	env: Readonly<Record<string, string>>;
	/** Absolute paths of what was written; none of them is tracked by git. */
	files: readonly string[];
	/** Takes away what was written, and only that. */
	remove(): Promise<void>;
};

/** `action` is a key as tmux names it, such as `Enter`, that answers the dialog. */
export type ReadyState = { phase: 'loading' } | { phase: 'dialog'; action: string } | { phase: 'ready' };

/** Sums over the whole session; `inputTokens` counts what came from a cache too. */
export type TranscriptSummary = {
	inputTokens: number;
	outputTokens: number;
	/** The one that was used last, as the agent reports it. */
	model: string;
	/** Each token in exactly one field. */
	usage: UsageByModel;
};

export type ResolvedModel = { model: string; env?: Record<string, string> | undefined };

export type AgentIdentity = { agentName: string; worktreePath: string };

/** A started process, spoken to through its input and output. */
export type RpcProcessHandle = {
	readonly stdin: { write(data: string | Uint8Array): number | Promise<number> };
	readonly stdout: ReadableStream<Uint8Array>;
	/** Where it works, for agents that must be told; else where this process does. */
	readonly cwd?: string | undefined;
};

export type RuntimeConnection = {
	/** The first prompt; resolves when the agent has it. */
	sendPrompt(text: string): Promise<void>;
	followUp(text: string): Promise<void>;
	/** Stops what it does; the process stays. */
	abort(): Promise<void>;
	/** `error` too where the process has ended, or was let go. */
	getState(): Promise<ConnectionState>;
	/** Lets go of the process, which ends when its input does. It takes no prompts after that. */
	close(): void;
};

export type ConnectionState = { status: 'idle' | 'working' | 'error'; currentTool?: string };

/** A call that a guard judges, in the normal form. */
export type GuardedCall = { tool: string; input: ToolInput; cwd: string };

export type GuardVerdict = { allowed: true } | { allowed: false; reason: string };

export type GuardWire = {
	/** The call that a payload on its input is about, or the calls, where it stands for several; null where it cannot be told, which is refused. */
	readCall(payload: unknown): GuardedCall | readonly GuardedCall[] | null;
	/** The verdict in the agent's own words. */
	say(verdict: GuardVerdict): Said;
};

export type Said = {
	stdout: string;
	stderr?: string;
	/** Of a refusal: one that the agent takes as such, even if it did not understand what was said. */
	exitCode: number;
};
