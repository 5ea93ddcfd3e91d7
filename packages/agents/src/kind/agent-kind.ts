// Everything that Roost knows of one kind of agent: what the folder of an agent exports, as one record. Callers branch on what
// is in it, never on a name: where an agent has no such thing, there is null.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Result } from '@roost/protocol/result';
import type { RuleDecision } from '@roost/protocol/rule';
import type { Drive } from '@roost/protocol/session-row';
import type { AgentCli } from '../base/agent-cli.ts';
import type { ToAgentEnvironment } from '../base/agent-environment.ts';
import type { StatusSource } from '../base/status-source.ts';
import type { PastTranscripts, ReadUsage, Summarise } from '../base/transcripts.ts';
import type { AgentAdapter } from '../base/types.ts';
import type { CanaryAgent } from '../guards/canary.ts';
import type { ProjectServers } from '../repository/project-servers.ts';
import type { Forwarder, ObservedKind } from './observed-kind.ts';

export type AgentKind = {
	/** How its program is found, and known for what it is. */
	readonly known: KnownAgent;
	/** How it is launched, configured, recognised and read. */
	adapter(config: RuntimeConfig): AgentAdapter;
	/** What it finds in its environment. */
	readonly environment: ToAgentEnvironment;
	/** What it takes for what people call models. */
	readonly models: Readonly<Record<string, string>>;
	/** Its own way to say which model is meant, where a table is not enough. */
	toModel?(model: string, config: RuntimeConfig): string;
	/** Roost starts and prompts it. */
	drive(setting: DriveSetting): DrivableAgent;
	/** How its guard is proven. */
	readonly canary: CanaryAgent | null;
	/** How one that its user starts reports to Roost. */
	readonly observed: ObservedKind | null;
	/** What the transcript of a session says at its end. */
	readonly summarise: Summarise;
	/** Usage of a running session so far. */
	readonly readUsage: ReadUsage | null;
	/** The sessions that it kept of earlier times. */
	readonly past: PastTranscripts | null;
	/** What it is doing right now, as far as it tells beside its reports. */
	readonly status: StatusSource | null;
	/** How `roost <agent>` resumes a conversation in a terminal that the runner opens. */
	readonly inTerminal: InTerminal | null;
	/** Its own commands for plugins and MCP servers. */
	readonly cli: AgentCli | null;
	/** The MCP servers that a repository brings along for it; fails for a folder that is not there. */
	readonly readProjectServers: ((folder: string) => Promise<ProjectServers>) | null;
	/** The permission rules in its user's own settings, as rules of Roost. */
	readonly readPermissions: ((env: NodeJS.ProcessEnv) => Promise<Result<UserPermissions>>) | null;
};

/** What most agents do not have. */
export const NOT_SUPPORTED = {
	readUsage: null,
	past: null,
	status: null,
	inTerminal: null,
	cli: null,
	readProjectServers: null,
	readPermissions: null,
} satisfies Partial<AgentKind>;

export type KnownAgent = {
	/** The name it is asked for by. */
	readonly id: string;
	/** As people know it. */
	readonly title: string;
	/** The program's name, as it is looked for on the PATH. */
	readonly program: string;
	/** The one that comes with Roost, for users who have none; null where it is not installed. */
	readonly bundled?: () => string | null;
	/** What `--version` says; the version is its first group. */
	readonly version: RegExp;
	/** The oldest one that Roost knows to work. */
	readonly oldest: string;
	/** How sessions that people start themselves are observed; null where they are not. */
	readonly observed: string | null;
	/** What else on the machine keeps it from working, in one sentence, and how to fix that; null where nothing is known to. */
	findObstacle?(env: NodeJS.ProcessEnv): Promise<{ says: string; remedy: string } | null>;
};

/** What a user configured of the agents, from `runtime` in config.yaml. */
export type RuntimeConfig = {
	default?: string | undefined;
	pi?: PiConfig | undefined;
};

/** How unqualified names of models are meant. */
export type PiConfig = { provider?: string | undefined; modelMap?: Readonly<Record<string, string>> | undefined };

/** What an agent that a runner drives is made with. */
export type DriveSetting = {
	/** Of the runner itself. */
	env: Readonly<Record<string, string | undefined>>;
	/** Of config.yaml, `agents.<id>.env`. */
	configured: Readonly<Record<string, string>>;
	/** Its program and what it is started through. */
	command: readonly [string, ...string[]];
	/** Why there is no such program. */
	unavailable: string | undefined;
	/** A folder of this user only, for sockets and what belongs to one session. */
	runDir: string;
	/** What a hook runs. */
	forwarder: Forwarder;
	/** Roost's own. */
	version: string;
	config: {
		readonly runtime: RuntimeConfig;
		readonly sdk: {
			readonly settingSources: readonly ('user' | 'project' | 'local')[];
			readonly maxTurns?: number | undefined;
			readonly approvalTimeoutMs: number;
		};
	};
	/** Which servers of a project the user trusts. */
	mcpTrust: { isTrusted(project: string, name: string, hash: string): boolean };
};

export type UserPermissions = {
	file: string;
	rules: TranslatedRule[];
	/** As they stand there, and why they cannot be rules of Roost. */
	skipped: { decision: RuleDecision; text: string; why: string }[];
};

export type TranslatedRule = { decision: RuleDecision; tool: string; argsPattern?: string };

export type InTerminal = {
	/** The id under which it begins a conversation. */
	newNativeId(): string;
	/** What makes it begin that conversation, or go on with it. */
	toArgs(drive: Drive, nativeId: string, isNew: boolean): string[];
};
