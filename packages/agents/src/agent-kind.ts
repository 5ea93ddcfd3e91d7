// Everything that Roost knows of one kind of agent: what the folder of an agent exports, as one record.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { ToAgentEnvironment } from './agent-environment.ts';
import type { CanaryAgent } from './guards/canary.ts';
import type { Forwarder } from './launchable.ts';
import type { RuntimeConfig } from './registry.ts';
import type { AgentRuntime } from './types.ts';

export type AgentKind = {
	/** How its program is found, and known for what it is. */
	readonly known: KnownAgent;
	/** How it is launched, configured, recognised and read. */
	runtime(config: RuntimeConfig): AgentRuntime;
	/** What it finds in its environment. */
	readonly environment: ToAgentEnvironment;
	/** Roost starts and prompts it. */
	drive(setting: DriveSetting): DrivableAgent;
	/** Its own way to say which model is meant; without one, the table of aliases holds. */
	toModel?(model: string, config: RuntimeConfig): string;
	/** How its guard is proven; null where it has none. */
	readonly canary: CanaryAgent | null;
};

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
