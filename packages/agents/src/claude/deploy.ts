// Deploys a guard, instructions and MCP servers for Claude, in files outside the worktree that take precedence over a repository's.
import { pinLinker } from '@roost/core/process/loader-variables';
import { deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import type { Deployed, HooksDef, OverlayContent } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import type { ReadSurroundings } from './sdk/read-surroundings.ts';

/** Seconds; the guard answers earlier. */
const TIMEOUT_S = 30;

/** Throws an `AppError` where the guard cannot be deployed. */
export async function deployClaudeGuard(def: HooksDef, env: NodeJS.ProcessEnv = process.env): Promise<Deployed> {
	const guard = deployGuard(def, 'claude');
	const settings = deployFile(def.stateDir, toGuardSettings(guard.argv, env), 'claude-guard.json');
	const files = [guard.definitionPath, settings];
	return {
		argv: ['--settings', settings],
		env: toIdentityEnv(def),
		files,
		remove: () => removeAll(files),
	};
}

function toGuardSettings([command, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
	return {
		disableAllHooks: false,
		// It runs unattended: programs load nothing that the repository names.
		env: { ...pinLinker(env), NODE_OPTIONS: env.NODE_OPTIONS ?? '', NODE_PATH: env.NODE_PATH ?? '' },
		// Without a matcher, for every tool. A guard that fails to run blocks.
		hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, args, timeout: TIMEOUT_S, onFailure: 'block' }] }] },
	};
}

/** The repository's settings are ignored, so instructions are passed here, as to a driven session. */
export async function deploySurroundings(
	{ worktreePath, stateDir }: Pick<HooksDef, 'worktreePath' | 'stateDir'>,
	overlay: OverlayContent | undefined,
	readSurroundings: ReadSurroundings,
): Promise<Deployed> {
	const { instructions, mcpServers } = await readSurroundings(worktreePath);
	const text = [instructions, overlay?.content ?? ''].filter((part) => part.trim() !== '').join('\n\n');
	// In a file, because servers may contain secrets.
	const servers = deployFile(stateDir, { mcpServers }, 'claude-mcp.json');
	const files = text === '' ? [servers] : [servers, deployFile(stateDir, text, 'claude-instructions.md')];
	return {
		argv: [
			`--mcp-config=${servers}`,
			'--strict-mcp-config',
			...files.slice(1).map((file) => `--append-system-prompt-file=${file}`),
		],
		env: {},
		files,
		remove: () => removeAll(files),
	};
}
