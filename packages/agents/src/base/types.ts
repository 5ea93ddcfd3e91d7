// How to launch, configure, recognise and read one kind of agent.
import type { UsageByModel } from '@roost/core/usage/tally';
import type { ToolInput } from '@roost/protocol/feed/base';

export type AgentAdapter = {
	readonly id: string;
	readonly title: string;
	/** Name of the program on the PATH. */
	readonly program: string;
	/** Where the agent looks for instructions in a worktree. */
	readonly instructionPath: string;
	/** Callers branch on this, never on the presence of a member. */
	readonly traits: AgentTraits;

	/** One quoted shell command for tmux; `cwd` and `env` are set on the tmux session. */
	buildSpawnCommand(opts: SpawnOpts): string;
	/** One prompt without a terminal; the response is what it prints. Run it with closed stdin. */
	buildPrintCommand(prompt: string, model?: string): string[];
	/** Never changes a file that git tracks. Without an overlay only guards are deployed. */
	deployConfig(worktreePath: string, overlay: OverlayContent | undefined, hooks: HooksDef): Promise<Deployed>;
	/** Reads the screen: dialogs first, then work in progress, then readiness. */
	detectReady(paneContent: string): ReadyState;
	/** Null for a missing or unreadable file; never throws. */
	parseTranscript(path: string): Promise<TranscriptSummary | null>;
	/** Variables for the model and provider, plus `ROOST_AGENT_NAME` and `ROOST_WORKTREE_PATH`. */
	buildEnv(model: ResolvedModel, who?: AgentIdentity): Record<string, string>;

	/** Whether a first prompt may be lost during start-up, so that its arrival is checked. */
	requiresBeaconVerification?(): boolean;
	/** Talks to a process started with `traits.connects` instead of its terminal. */
	connect?(process: RpcProcessHandle): RuntimeConnection;
};

type AgentTraits = {
	/** Has a terminal that can be driven by keys. */
	hasTerminal: boolean;
	/** `requiresBeaconVerification` exists and returns true. */
	verifiesBeacon: boolean;
	/** Arguments for `connect`; null without it. */
	connects: { argv: readonly string[] } | null;
	/** How its guards fire, for display. */
	guard: string;
	/** Recognises the last line of a complete transcript, for agents that report their end before they write it. */
	isLastLine?: ((line: string) => boolean) | undefined;
};

export type SpawnOpts = {
	model: string;
	/** `bypass`: asks nobody, guards decide. `ask`: asks in its terminal. */
	permissionMode: 'bypass' | 'ask';
	systemPrompt?: string | undefined;
	appendSystemPrompt?: string | undefined;
	/** For text that is too long for a command line. */
	appendSystemPromptFile?: string | undefined;
	cwd: string;
	env: Record<string, string>;
	/** Absolute path and first arguments; else the program on the PATH. */
	program?: readonly [string, ...string[]] | undefined;
	deployed?: Deployed | undefined;
};

export type OverlayContent = {
	content: string;
};

export type HooksDef = {
	agentName: string;
	/** `builder`, `scout`, `reviewer`, `lead`, `coordinator`, `monitor`, `merger`. */
	capability: string;
	/** Absolute. Nothing is written outside of it. */
	worktreePath: string;
	/** Absolute, outside the worktree, for files that Roost deploys. */
	stateDir: string;
	/** The agent's environment; else that of this process. Not stored. */
	env?: Readonly<Record<string, string | undefined>> | undefined;
	/** Must pass before the agent may report completion. */
	qualityGates?: QualityGate[] | undefined;
};

export type QualityGate = { name: string; command: string; description?: string | undefined };

export type Deployed = {
	/** Arguments and variables that activate the deployment; `buildSpawnCommand` adds the arguments. */
	argv: readonly string[];
	env: Readonly<Record<string, string>>;
	/** Absolute paths; none is tracked by git. */
	files: readonly string[];
	/** Removes only what was written. */
	remove(): Promise<void>;
};

/** `action` is the tmux name of the key that answers the dialog, such as `Enter`. */
export type ReadyState = { phase: 'loading' } | { phase: 'dialog'; action: string } | { phase: 'ready' };

/** Sums over the session; `inputTokens` includes cached tokens. */
export type TranscriptSummary = {
	inputTokens: number;
	outputTokens: number;
	/** The last model used. */
	model: string;
	/** Each token in exactly one field. */
	usage: UsageByModel;
};

export type ResolvedModel = { model: string; env?: Record<string, string> | undefined };

export type AgentIdentity = { agentName: string; worktreePath: string };

export type RpcProcessHandle = {
	readonly stdin: { write(data: string | Uint8Array): number | Promise<number> };
	readonly stdout: ReadableStream<Uint8Array>;
	/** Working directory, for agents that need it; default: that of this process. */
	readonly cwd?: string | undefined;
};

export type RuntimeConnection = {
	/** Resolves when the agent has it. */
	sendPrompt(text: string): Promise<void>;
	followUp(text: string): Promise<void>;
	/** Stops the current work; the process stays. */
	abort(): Promise<void>;
	/** `error` also after the process has ended or the connection was closed. */
	getState(): Promise<ConnectionState>;
	/** Releases the process, which ends with its input. No prompts after that. */
	close(): void;
};

export type ConnectionState = { status: 'idle' | 'working' | 'error'; currentTool?: string };

/** A call in the normal form. */
export type GuardedCall = { tool: string; input: ToolInput; cwd: string };

export type GuardVerdict = { allowed: true } | { allowed: false; reason: string };

export type GuardWire = {
	/** The call, or several, that a payload describes; null for an unreadable payload, which is denied. */
	readCall(payload: unknown): GuardedCall | readonly GuardedCall[] | null;
	say(verdict: GuardVerdict): GuardOutput;
};

export type GuardOutput = {
	stdout: string;
	stderr?: string;
	/** Denials use a code that the agent accepts as one even without the output. */
	exitCode: number;
};
