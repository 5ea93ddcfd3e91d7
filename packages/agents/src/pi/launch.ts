// How to start the user's own pi so that it reports to Roost.
import { programFile } from '@roost/core/process/program-files';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { ok } from '@roost/protocol/result';
import { beforeOperands } from '../base/option-values.ts';
import type { Launchable } from '../kind/observed-kind.ts';

export type PiArgs = ReturnType<typeof readPiArgs>;

const COMMANDS = new Set(['install', 'remove', 'uninstall', 'update', 'list', 'config', 'auth']);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v', '--export', '--list-models']);
const WITHOUT_TERMINAL = new Set(['-p', '--print', '--mode']);

export function readPiArgs(args: readonly string[]) {
	const options = beforeOperands(args);
	return {
		args,
		headless: options.some((arg) => WITHOUT_TERMINAL.has(arg)),
		managementOnly: COMMANDS.has(args[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** An extension on the command line is always loaded. In enforce mode the repository's extensions, which share the process, are not. */
export function toPiArgv({ args }: PiArgs, gate: GateMode = 'observe'): string[] {
	const options = beforeOperands(args);
	const untrusted = gate === 'enforce' ? ['--no-approve'] : [];
	return ['--extension', programFile('piReport'), ...options, ...untrusted, ...args.slice(options.length)];
}

export const PI_LAUNCH = {
	read: async ({ args }) => ok(readPiArgs(args)),
	prepare: async ({ args, gate }) => ok({ argv: toPiArgv(readPiArgs(args), gate), says: [] }),
} satisfies Launchable;
