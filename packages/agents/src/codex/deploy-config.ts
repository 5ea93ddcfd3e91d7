// Deploys a guard and instructions for Codex: all by its command line, so that nothing is written into the worktree.
import { rm } from 'node:fs/promises';
import { deployGuard } from '../guards/deploy-guard.ts';
import { rightsOf } from '../guards/table.ts';
import { quoteArgv } from '../shell-quote.ts';
import type { Deployed, HooksDef, OverlayContent } from '../types.ts';
import { readRepositoryInstructions } from './repository-instructions.ts';
import { toConfigArgs, tomlList, tomlString, untrust } from './toml.ts';
import { toHookArgs } from './trusted-hooks.ts';
import { worktreeGitRoots } from './worktree-git-roots.ts';

/** Seconds; the guard itself answers long before. */
const TIMEOUT_S = 30;

/** Throws an `AppError` where the guard cannot be deployed. */
export async function deployCodexConfig(def: HooksDef, overlay: OverlayContent | undefined): Promise<Deployed> {
	const guard = await deployGuard(def, 'codex');
	const repository = await readRepositoryInstructions(def.worktreePath);
	const instructions = [repository.text, overlay?.content ?? ''].filter((text) => text !== '').join('\n\n');
	return {
		argv: [
			...toHookArgs([{ event: 'PreToolUse', command: quoteArgv(guard.argv), timeoutS: TIMEOUT_S }]),
			...toConfigArgs({
				...(await sandboxOf(def)),
				// What is typed into a command that runs passes no hook.
				'features.unified_exec_tty': 'false',
				projects: untrust(repository.trustRoots),
				...(instructions === '' ? {} : { developer_instructions: tomlString(instructions) }),
			}),
		],
		env: { ROOST_AGENT_NAME: def.agentName, ROOST_WORKTREE_PATH: def.worktreePath },
		files: [guard.definitionPath],
		remove: () => rm(guard.definitionPath, { force: true }),
	};
}

/** Behind the guard, where it may fail: what only reads cannot write at all, and what writes can commit and no more. */
async function sandboxOf({ capability, worktreePath }: HooksDef): Promise<Record<string, string>> {
	if (!rightsOf(capability).writes) return { sandbox_mode: tomlString('read-only') };
	return {
		sandbox_mode: tomlString('workspace-write'),
		'sandbox_workspace_write.writable_roots': tomlList(await worktreeGitRoots(worktreePath)),
	};
}
