// Why Copilot is not started in a repository where Roost could not hold it: programs that it runs outside of calls, or a switch for hooks.
import { shownName, shownNames } from '../repository/shown-name.ts';
import { findHookSwitch } from './hook-switches.ts';
import { repositoryFolders } from './repository-folders.ts';
import { findRepositoryPrograms } from './repository-programs.ts';

/** A sentence that says why Copilot is not started there; null where nothing is in the way. */
export async function refuseRepositoryHooks(cwd: string, place: { trusted: boolean }): Promise<string | null> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return `There is no folder ${shownName(cwd, 200)} that could be worked in.`;
	const found = await findRepositoryPrograms(cwd, place);
	if (found.length === 0) return await refuseSwitch(cwd);
	return `This repository brings programs that Copilot would run without asking (${shownNames(found)}): remove them, or run copilot without Roost's gate.`;
}

/** Copilot heeds it in a folder that its user trusts, and would run without its gate. */
async function refuseSwitch(cwd: string): Promise<string | null> {
	const found = await findHookSwitch(cwd);
	return found === null ? null : `In this repository ${found}, and so its gate: take that away, or start copilot yourself.`;
}
