// Everything that Roost knows of one kind of agent. Callers branch on its content, never on a name; null where an agent has no such feature.
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
import type { ProjectServers } from '../repository/mcp-config.ts';
import type { Forwarder, ObservedKind } from './observed-kind.ts';

export type AgentKind = {
	readonly known: KnownAgent;
	adapter(config: RuntimeConfig): AgentAdapter;
	readonly environment: ToAgentEnvironment;
	/** Model aliases. */
	readonly models: Readonly<Record<string, string>>;
	/** For agents whose model names need more than a table. */
	toModel?(model: string, config: RuntimeConfig): string;
	drive(setting: DriveSetting): DrivableAgent;
	/** How its guard is proven. */
	readonly canary: CanaryAgent | null;
	/** How it reports when its user starts it. */
	readonly observed: ObservedKind | null;
	/** Reads the transcript at the end of a session. */
	readonly summarise: Summarise;
	readonly readUsage: ReadUsage | null;
	readonly past: PastTranscripts | null;
	/** Its current activity, as far as it is visible outside of its reports. */
	readonly status: StatusSource | null;
	/** How `roost <agent>` resumes a conversation in a terminal of the runner. */
	readonly inTerminal: InTerminal | null;
	readonly cli: AgentCli | null;
	/** MCP servers that a repository defines; fails for a missing folder. */
	readonly readProjectServers: ((folder: string) => Promise<ProjectServers>) | null;
	/** Permission rules in the user's own settings, as rules of Roost. */
	readonly readPermissions: ((env: NodeJS.ProcessEnv) => Promise<Result<UserPermissions>>) | null;
};

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
	readonly id: string;
	readonly title: string;
	/** Name of the program on the PATH. */
	readonly program: string;
	/** The bundled program; null where it is not installed. */
	readonly bundled?: () => string | null;
	/** Matches the output of `--version`; the first group is the version. */
	readonly version: RegExp;
	/** The oldest supported version. */
	readonly oldest: string;
	/** How user-started sessions are observed; null where they are not. */
	readonly observed: string | null;
	/** A known problem of this machine that prevents it from working, and the fix. */
	findObstacle?(env: NodeJS.ProcessEnv): Promise<{ says: string; remedy: string } | null>;
};

/** From `runtime` in config.yaml. */
export type RuntimeConfig = {
	default?: string | undefined;
	pi?: PiConfig | undefined;
};

/** For model names without a provider. */
export type PiConfig = { provider?: string | undefined; modelMap?: Readonly<Record<string, string>> | undefined };

export type DriveSetting = {
	/** Environment of the runner. */
	env: Readonly<Record<string, string | undefined>>;
	/** From config.yaml, `agents.<id>.env`. */
	configured: Readonly<Record<string, string>>;
	command: readonly [string, ...string[]];
	/** Why the program is not available. */
	unavailable: string | undefined;
	/** A private folder for sockets and files of one session. */
	runDir: string;
	/** The program that a hook runs. */
	forwarder: Forwarder;
	/** Version of Roost. */
	version: string;
	config: {
		readonly runtime: RuntimeConfig;
		readonly sdk: {
			readonly settingSources: readonly ('user' | 'project' | 'local')[];
			readonly maxTurns?: number | undefined;
			readonly approvalTimeoutMs: number;
		};
	};
	mcpTrust: { isTrusted(project: string, name: string, hash: string): boolean };
};

export type UserPermissions = {
	file: string;
	rules: TranslatedRule[];
	/** Rules that cannot be translated, and why. */
	skipped: { decision: RuleDecision; text: string; why: string }[];
};

export type TranslatedRule = { decision: RuleDecision; tool: string; argsPattern?: string };

export type InTerminal = {
	newNativeId(): string;
	/** Arguments that begin or resume that conversation. */
	toArgs(drive: Drive, nativeId: string, isNew: boolean): string[];
};
