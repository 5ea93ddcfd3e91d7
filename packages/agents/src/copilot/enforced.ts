// What a launch of the user's own copilot gets where Roost is the gate, or why it is not started: no program and no hook may stand behind Roost's.
import { readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { optionValues } from '../base/option-values.ts';
import type { Launch } from '../kind/observed-kind.ts';
import { shownNames } from '../repository/shown-name.ts';
import { refuseRepositoryHooks } from './repository-hooks.ts';
import { agentsWithServers } from './repository-programs.ts';
import { repositoryServers } from './repository-servers.ts';
import { copilotHome, isTrustedFolder } from './trusted-folder.ts';

/** Arguments that stand behind those of the user. */
export async function toEnforced(
	{ options, headless, folder = '' }: { options: readonly string[]; headless: boolean; folder?: string | undefined },
	{ cwd: given, env }: Pick<Launch, 'cwd' | 'env'>,
): Promise<Result<string[]>> {
	const cwd = await realpath(resolve(given, folder)).catch(() => undefined);
	if (cwd === undefined) return refuse(`The folder "${folder || given}" of copilot does not exist`);
	const problem = findProblem(options) ?? (await findExtensions(env)) ?? (await findAddedAgents(options, cwd));
	if (problem !== null) return refuse(problem);
	// In its terminal the user may be asked for trust, and give it.
	const trusted =
		!headless || options.includes('--trust-folder') || env.COPILOT_ALLOW_ALL !== undefined || (await isTrustedFolder(env, cwd));
	const refusal = await refuseRepositoryHooks(cwd, { trusted });
	if (refusal !== null) return err(new AppError('usage', refusal));
	const servers = await repositoryServers(cwd);
	if (!servers.ok) return servers;
	// The last folder counts, also for a session that is resumed and began elsewhere.
	return ok([...servers.value.map((name) => `--disable-mcp-server=${name}`), '-C', cwd]);
}

function refuse(problem: string): Result<never> {
	return err(new AppError('usage', `${problem}, so nothing could be enforced: change that, or leave out --enforce.`));
}

function findProblem(options: readonly string[]): string | null {
	const names = /^--(?:worktree|enable-mcp-server|extension-sdk-path)(?:=|$)/;
	const found = options.find((option) => names.test(option));
	return found === undefined ? null : `${found.split('=')[0]} lets copilot run what Roost has not looked at`;
}

/** The hooks of extensions run after those of plugins, and may change a call. */
async function findExtensions(env: Launch['env']): Promise<string | null> {
	const names = await readdir(join(copilotHome(env), 'extensions')).catch(() => []);
	return names.length === 0
		? null
		: `extensions of copilot (${shownNames(names)}) could change a call after Roost has approved it`;
}

async function findAddedAgents(options: readonly string[], cwd: string): Promise<string | null> {
	for (const folder of optionValues(options, ['--add-dir'])) {
		const found = await agentsWithServers(resolve(cwd, folder));
		if (found.length > 0) return `agents in a folder of --add-dir (${shownNames(found)}) start programs without asking`;
	}
	return null;
}
