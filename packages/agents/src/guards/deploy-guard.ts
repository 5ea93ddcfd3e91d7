// Puts a guard's definition where only this user can read it, and says which command an agent has to run before each call.
import { fileURLToPath } from 'node:url';
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { writePrivateJson } from '../hooks/private-file.ts';
import type { HooksDef } from '../types.ts';

export type DeployedGuard = {
	definitionPath: string;
	/** To be run before each call, with the call on its input. */
	program: Program;
	/** The same, whatever the agent's environment says. */
	argv: readonly [string, ...string[]];
};

/** Throws an `AppError` where it cannot be deployed: an agent may not be started without its guard. */
export async function deployGuard(def: HooksDef, agent: string): Promise<DeployedGuard> {
	const { env: _, ...definition } = def;
	const written = await writePrivateJson(def.stateDir, definition, 'guard.json');
	if (!written.ok) throw written.error;
	const program: Program = [...guardProgram(), agent, written.value];
	return { definitionPath: written.value, program, argv: toPinnedArgv(program) };
}

/** Built, it is JavaScript; from its source, what it imports must be found as source too. */
function guardProgram(): [string, ...string[]] {
	const isSource = import.meta.url.endsWith('.ts');
	const entry = fileURLToPath(new URL(isSource ? './guard-entry.ts' : './guard-entry.js', import.meta.url));
	return isSource ? [process.execPath, '--conditions=source', entry] : [process.execPath, entry];
}
