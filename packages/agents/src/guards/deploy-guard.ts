// Puts a guard's definition where only this user can read it, and says which command an agent has to run before each call.
import { fileURLToPath } from 'node:url';
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { deployFile } from '../deploy-file.ts';
import type { HooksDef } from '../types.ts';

export type DeployedGuard = {
	definitionPath: string;
	/** To be run before each call, with the call on its input. */
	program: Program;
	/** The same, whatever the agent's environment says. */
	argv: readonly [string, ...string[]];
};

/** Throws an `AppError` where it cannot be deployed: an agent may not be started without its guard. */
export function deployGuard(def: HooksDef, agent: string): DeployedGuard {
	const { env: _, ...definition } = def;
	const definitionPath = deployFile(def.stateDir, definition, 'guard.json');
	const program: Program = [...guardProgram(), agent, definitionPath];
	return { definitionPath, program, argv: toPinnedArgv(program) };
}

/** Built, it is JavaScript; from its source, what it imports must be found as source too. */
function guardProgram(): [string, ...string[]] {
	const isSource = import.meta.url.endsWith('.ts');
	const entry = fileURLToPath(new URL(isSource ? './guard-entry.ts' : './guard-entry.js', import.meta.url));
	return isSource ? [process.execPath, '--conditions=source', entry] : [process.execPath, entry];
}
