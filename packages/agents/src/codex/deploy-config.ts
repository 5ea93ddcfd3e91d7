// Deploys a guard and instructions for Codex by its command line, and its rules in a home of its own: nothing is written into the
// worktree, and nothing where the user's own sessions look.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { quoteArgv } from '../base/shell-quote.ts';
import type { Deployed, HooksDef, OverlayContent } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { staticDenials } from '../guards/static-denials.ts';
import { rightsOf } from '../guards/table.ts';
import { openGuardedHome } from './guarded-home.ts';
import { readRepositoryInstructions } from './repository-instructions.ts';
import { codexHome } from './rollout-files.ts';
import { toConfigArgs, tomlList, tomlString, untrust } from './toml.ts';
import { toHookArgs } from './trusted-hooks.ts';
import { worktreeGitRoots } from './worktree-git-roots.ts';

/** Seconds; the guard itself answers long before. */
const TIMEOUT_S = 30;

/** Throws an `AppError` where the guard cannot be deployed. */
export async function deployCodexConfig(def: HooksDef, overlay: OverlayContent | undefined): Promise<Deployed> {
	const guard = deployGuard(def, 'codex');
	const repository = await readRepositoryInstructions(def.worktreePath);
	const instructions = [repository.text, overlay?.content ?? ''].filter((text) => text !== '').join('\n\n');
	const home = await openGuardedHome(codexHome(def.env ?? process.env), def.stateDir, staticDenials(def.capability));
	const sandbox = await sandboxOf(def);
	return {
		argv: [
			...toHookArgs([{ event: 'PreToolUse', command: quoteArgv(guard.argv), timeoutS: TIMEOUT_S }]),
			...toConfigArgs({
				...sandbox.settings,
				// What is typed into a command that runs passes no hook.
				'features.unified_exec_tty': 'false',
				projects: untrust(repository.trustRoots),
				...(instructions === '' ? {} : { developer_instructions: tomlString(instructions) }),
			}),
		],
		env: { ...home.env, ...sandbox.env, ROOST_AGENT_NAME: def.agentName, ROOST_WORKTREE_PATH: def.worktreePath },
		files: [guard.definitionPath, ...home.files, ...sandbox.folders],
		async remove() {
			await rm(guard.definitionPath, { force: true });
			await home.remove();
			await Promise.all(sandbox.folders.map((folder) => rm(folder, { recursive: true, force: true })));
		},
	};
}

type Sandbox = { settings: Record<string, string>; env: Record<string, string>; folders: readonly string[] };

/** Behind the guard, where it may fail: what only reads cannot write at all, and what writes can commit and no more. */
async function sandboxOf({ capability, worktreePath, stateDir }: HooksDef): Promise<Sandbox> {
	if (!rightsOf(capability).writes) return { settings: { sandbox_mode: tomlString('read-only') }, env: {}, folders: [] };
	// The folder for temporary files is shared with everybody, and programs need one: it gets one of its own.
	const temporary = ensurePrivateDirectory(join(stateDir, 'tmp'));
	if (!temporary.ok) throw temporary.error;
	return {
		settings: {
			sandbox_mode: tomlString('workspace-write'),
			'sandbox_workspace_write.writable_roots': tomlList([...(await worktreeGitRoots(worktreePath)), temporary.value]),
			'sandbox_workspace_write.exclude_slash_tmp': 'true',
			'sandbox_workspace_write.exclude_tmpdir_env_var': 'true',
		},
		env: { TMPDIR: temporary.value },
		folders: [temporary.value],
	};
}
