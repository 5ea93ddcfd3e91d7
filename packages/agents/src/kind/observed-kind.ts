// How an agent that its user starts reports to Roost: for one launch in a terminal, and by installed hooks.
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import type { HookInstall } from '../install/user-hooks.ts';
import type { RepositoryFile } from '../repository/describe-repository.ts';

export type ObservedKind = {
	readonly protocol: HookProtocol;
	readonly launch: Launchable;
	readonly hooks: HookInstall;
	/** Files in which a repository can configure it. */
	readonly repository: readonly RepositoryFile[];
	/** Tests the hooks of a launch without the agent, for the doctor. */
	readonly openProbe: OpenProbe | null;
};

/** How the user's own program is started so that it reports. */
export type Launchable = {
	/** Runs before a runner is involved; fails for arguments that cannot be governed. */
	read(start: LaunchStart): Promise<Result<LaunchRead>>;
	/** The final arguments, and notes for the user. */
	prepare(launch: Launch, runner: LaunchRunner): Promise<Result<PreparedLaunch>>;
};

export type LaunchStart = {
	args: readonly string[];
	gate: GateMode;
	cwd: string;
	env: Readonly<Record<string, string | undefined>>;
};

export type LaunchRead = {
	/** One run without a terminal and without a user. */
	headless: boolean;
	/** A management command: no agent runs, so there is nothing to govern. */
	managementOnly: boolean;
	/** Working directory from the arguments. */
	folder?: string | undefined;
	/** Shown to the user before it starts. */
	says?: readonly string[];
	/** Recorded in the session. */
	notices?: readonly string[];
};

export type Launch = LaunchStart & {
	command: readonly [string, ...string[]];
	/** A folder of this launch, removed at its end. */
	dir: string;
	forwarder: Forwarder;
};

export type LaunchRunner = {
	hooks: LaunchOpened['hooks'];
	isTrusted(project: string, name: string, hash: string): boolean;
};

/** `askMs`: timeout for answers. */
export type Forwarder = { node: string; script: string; askMs: number };

export type PreparedLaunch = { argv: string[]; says: readonly string[] };

export type OpenProbe = (launch: {
	hooks: LaunchOpened['hooks'];
	session: SessionId;
	env: NodeJS.ProcessEnv;
	forwarder: Forwarder;
	runDir: string;
	timeoutMs: number;
}) => Result<HookProbe>;

/** Fires the hook entries in the files of an enforced launch, as the agent would. */
export type HookProbe = {
	start(payload: Record<string, unknown>): Promise<Result<ProbeAnswer>>;
	/** With another secret than that of the launch, where one is given. */
	call(payload: Record<string, unknown>, secret?: string): Promise<Result<ProbeAnswer>>;
};

/** `refused`: unknown caller. `silent`: no opinion. */
export type ProbeAnswer = { type: 'silent' | 'refused' } | { type: 'denied'; reason: string } | { type: 'other'; text: string };
