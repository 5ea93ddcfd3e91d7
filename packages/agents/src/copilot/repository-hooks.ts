// Hooks that a repository brings for Copilot. Driven by the protocol Copilot runs them without asking, and nothing switches them off.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { shownName, shownNames } from '../claude/sdk/shown-name.ts';
import { findHookSwitch } from './hook-switches.ts';
import { repositoryFolders } from './repository-folders.ts';

/** A sentence that says why Copilot is not started there; null where nothing is in the way. */
export async function refuseRepositoryHooks(cwd: string): Promise<string | null> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return `There is no folder ${shownName(cwd, 200)} that could be worked in.`;
	const { root, folders } = repository;
	const found: string[] = [];
	for (const folder of folders) {
		const hooks = join(folder, '.github', 'hooks');
		for (const name of await namesIn(hooks)) found.push(relative(root, join(hooks, name)));
	}
	if (found.length === 0) return await refuseSwitch(cwd);
	return `This repository brings programs that Copilot would run without asking (${shownNames(found)}): take them away, or start copilot yourself.`;
}

/** Copilot heeds it in a folder that its user trusts, and would run without its gate. */
async function refuseSwitch(cwd: string): Promise<string | null> {
	const found = await findHookSwitch(cwd);
	return found === null ? null : `In this repository ${found}, and so its gate: take that away, or start copilot yourself.`;
}

/** Whatever is in there counts, links and folders too: which of them Copilot reads is its own affair. */
async function namesIn(folder: string): Promise<string[]> {
	try {
		return await readdir(folder);
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
		if (code === 'ENOENT' || code === 'ENOTDIR') return [];
		// What cannot be looked at may be anything.
		return ['something that cannot be read'];
	}
}
