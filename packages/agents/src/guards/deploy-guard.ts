// Puts a guard's definition where only this user can read it, and says which command an agent has to run before each call.
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { programArgs } from '@roost/core/process/program-files';
import { deployFile } from '../base/deploy-file.ts';
import type { HooksDef } from '../base/types.ts';

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
	const program: Program = [process.execPath, ...programArgs('guard'), agent, definitionPath];
	return { definitionPath, program, argv: toPinnedArgv(program) };
}
