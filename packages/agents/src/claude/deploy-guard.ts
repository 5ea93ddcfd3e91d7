// Deploys a guard for Claude: settings of its own, given by `--settings`, that stand above what a repository says.
import { rm } from 'node:fs/promises';
import { pinLinker } from '@roost/core/process/loader-variables';
import { deployFile } from '../base/deploy-file.ts';
import type { Deployed, HooksDef } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';

/** Seconds; the guard itself answers long before. */
const TIMEOUT_S = 30;

/** Nothing is written into the worktree. Throws an `AppError` where the guard cannot be deployed. */
export async function deployClaudeGuard(def: HooksDef, env: NodeJS.ProcessEnv = process.env): Promise<Deployed> {
	const guard = deployGuard(def, 'claude');
	const settings = deployFile(def.stateDir, toGuardSettings(guard.argv, env), 'claude-guard.json');
	const files = [guard.definitionPath, settings];
	return {
		argv: ['--settings', settings],
		env: { ROOST_AGENT_NAME: def.agentName, ROOST_WORKTREE_PATH: def.worktreePath },
		files,
		async remove() {
			await Promise.all(files.map((path) => rm(path, { force: true })));
		},
	};
}

function toGuardSettings([command, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
	return {
		disableAllHooks: false,
		// Nobody sits in front of it: what it runs loads nothing that the repository names either.
		env: { ...pinLinker(env), NODE_OPTIONS: env.NODE_OPTIONS ?? '', NODE_PATH: env.NODE_PATH ?? '' },
		// Without a matcher, for every tool. A guard that cannot be run blocks.
		hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, args, timeout: TIMEOUT_S, onFailure: 'block' }] }] },
	};
}
