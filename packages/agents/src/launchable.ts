// How the user's own program of one kind is started in this terminal so that it reports to Roost.
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Result } from '@roost/protocol/result';

export type Launchable = {
	read(args: readonly string[]): LaunchRead;
	/** What it is started with in place of the user's arguments, and what the user should know of that. */
	prepare(launch: Launch): Promise<Result<PreparedLaunch>>;
};

export type LaunchRead = {
	/** One run without a terminal: nobody sits in front of it. */
	headless: boolean;
	/** A management command: no agent runs, so there is nothing to govern. */
	managementOnly: boolean;
	/** The folder that the arguments name to work in, where they name one. */
	folder?: string | undefined;
};

export type Launch = {
	args: readonly string[];
	gate: GateMode;
	cwd: string;
	/** The program and what it gets from Roost's own configuration. */
	command: readonly [string, ...string[]];
	env: Readonly<Record<string, string | undefined>>;
	/** A folder of this launch alone; taken away when it has ended. */
	dir: string;
	/** The program that hooks run. */
	forwarder: Forwarder;
};

/** `askMs`: how long Roost may take to answer it. */
export type Forwarder = { node: string; script: string; askMs: number };

export type PreparedLaunch = { argv: string[]; says: readonly string[] };
