// Writes a guard's private definition, and returns the command that an agent runs before each call.
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { programArgs } from '@roost/core/process/program-files';
import { deployFile } from '../base/deploy-file.ts';
import type { HooksDef } from '../base/types.ts';

/** Throws an `AppError` where it cannot be deployed: no agent starts without its guard. */
export function deployGuard(def: HooksDef, agent: string) {
	const { env: _, ...definition } = def;
	const definitionPath = deployFile(def.stateDir, definition, 'guard.json');
	const program: Program = [process.execPath, ...programArgs('guard'), agent, definitionPath];
	return {
		definitionPath /** With the call on stdin. */,
		program /** The same, independent of the agent's environment. */,
		argv: toPinnedArgv(program),
	};
}
