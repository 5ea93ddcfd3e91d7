// How to start the user's own pi so that it reports to Roost: its arguments, pure.
import { programFile } from '@roost/core/process/program-files';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { ok } from '@roost/protocol/result';
import { beforeOperands } from '../base/option-values.ts';
import type { Launchable } from '../kind/observed-kind.ts';

export type PiArgs = {
	args: readonly string[];
	/** One run without a terminal (`-p`, `--mode json`). */
	headless: boolean;
	/** A management command such as `pi install`: no agent runs, so there is nothing to govern. */
	managementOnly: boolean;
};

const COMMANDS = new Set(['install', 'remove', 'uninstall', 'update', 'list', 'config', 'auth']);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v', '--export', '--list-models']);
const WITHOUT_TERMINAL = new Set(['-p', '--print', '--mode']);

export function readPiArgs(args: readonly string[]): PiArgs {
	const options = beforeOperands(args);
	return {
		args,
		headless: options.some((arg) => WITHOUT_TERMINAL.has(arg)),
		managementOnly: COMMANDS.has(args[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/**
 * Named on the command line, an extension is loaded whatever the user or a repository switches off. Where Roost is the gate, nothing
 * of the repository is loaded: its extensions would run in the same process. The last word on trust counts.
 */
export function toPiArgv({ args }: PiArgs, gate: GateMode = 'observe'): string[] {
	const options = beforeOperands(args);
	const untrusted = gate === 'enforce' ? ['--no-approve'] : [];
	return ['--extension', programFile('piReport'), ...options, ...untrusted, ...args.slice(options.length)];
}

export const PI_LAUNCH = {
	read: async ({ args }) => ok(readPiArgs(args)),
	prepare: async ({ args, gate }) => ok({ argv: toPiArgv(readPiArgs(args), gate), says: [] }),
} satisfies Launchable;
