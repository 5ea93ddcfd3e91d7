// How an agent that its user starts reports to Roost: for one launch in a terminal, and by hooks that are installed.
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import type { HookInstall } from '../install/hook-files.ts';
import type { RepositoryFile } from '../repository/repository-files.ts';

export type ObservedKind = {
	/** How it reports over hooks, and how it is answered. */
	readonly protocol: HookProtocol;
	readonly launch: Launchable;
	readonly hooks: HookInstall;
	/** Where a repository can configure it. */
	readonly repository: readonly RepositoryFile[];
	/** How the doctor tries the hooks of a launch without the agent. */
	readonly openProbe: OpenProbe | null;
};

/** How the user's own program is started in this terminal so that it reports. */
export type Launchable = {
	/** Before a runner is asked to listen; fails where the arguments ask for what cannot be governed. */
	read(start: LaunchStart): Promise<Result<LaunchRead>>;
	/** What it is started with in place of the user's arguments, and what the user should know of that. */
	prepare(launch: Launch, runner: LaunchRunner): Promise<Result<PreparedLaunch>>;
};

export type LaunchStart = {
	args: readonly string[];
	gate: GateMode;
	cwd: string;
	env: Readonly<Record<string, string | undefined>>;
};

export type LaunchRead = {
	/** One run without a terminal: nobody sits in front of it. */
	headless: boolean;
	/** A management command: no agent runs, so there is nothing to govern. */
	managementOnly: boolean;
	/** The folder that the arguments name to work in, where they name one. */
	folder?: string | undefined;
	/** What the user should know before it starts. */
	says?: readonly string[];
	/** What the session says of how it was started. */
	notices?: readonly string[];
};

export type Launch = LaunchStart & {
	/** The program and what it gets from Roost's own configuration. */
	command: readonly [string, ...string[]];
	/** A folder of this launch alone; taken away when it has ended. */
	dir: string;
	/** The program that hooks run. */
	forwarder: Forwarder;
};

/** Where it reports to, and which MCP servers of a project its user trusts. */
export type LaunchRunner = {
	hooks: LaunchOpened['hooks'];
	isTrusted(project: string, name: string, hash: string): boolean;
};

/** `askMs`: how long Roost may take to answer it. */
export type Forwarder = { node: string; script: string; askMs: number };

export type PreparedLaunch = { argv: string[]; says: readonly string[] };

export type OpenProbe = (launch: {
	hooks: LaunchOpened['hooks'];
	session: SessionId;
	env: NodeJS.ProcessEnv;
	forwarder: Forwarder;
	/** A folder of this user only. */
	runDir: string;
	timeoutMs: number;
}) => Result<HookProbe>;

/** Fires what stands in the files of an enforced launch, as the agent itself would. */
export type HookProbe = {
	start(payload: Record<string, unknown>): Promise<Result<ProbeAnswer>>;
	/** With another secret than that of the launch, where one is given. */
	call(payload: Record<string, unknown>, secret?: string): Promise<Result<ProbeAnswer>>;
};

/** `refused`: the caller was not known. `silent`: the agent decides by itself. */
export type ProbeAnswer = { type: 'silent' | 'refused' } | { type: 'denied'; reason: string } | { type: 'other'; text: string };
