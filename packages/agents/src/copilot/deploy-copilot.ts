// Deploys a guard as a plugin, Copilot's own denials behind it, and instructions outside the worktree. Programs of the repository are disabled.
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import type { Deployed, HooksDef, OverlayContent } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { rightsOf, staticDenials } from '../guards/table.ts';
import { writeHookPlugin } from './hook-plugin.ts';
import { refuseRepositoryHooks, repositoryServers } from './repository.ts';

/** Seconds; the guard answers earlier. */
const TIMEOUT_S = 60;

/** Throws an `AppError` where the guard cannot be deployed. */
export async function deployCopilot(def: HooksDef, overlay: OverlayContent | undefined): Promise<Deployed> {
	const refusal = await refuseRepositoryHooks(def.worktreePath, { trusted: true });
	if (refusal !== null) throw new AppError('denied', refusal);
	const servers = await repositoryServers(def.worktreePath);
	if (!servers.ok) throw servers.error;
	const guard = deployGuard(def, 'copilot');
	const pluginDir = join(def.stateDir, 'copilot-guard');
	const plugin = writeHookPlugin(pluginDir, {
		preToolUse: { program: guard.program, timeoutSec: TIMEOUT_S },
	});
	if (!plugin.ok) throw plugin.error;
	const instructions = overlay ? writeInstructions(def.stateDir, overlay) : undefined;
	const files = [guard.definitionPath, ...plugin.value.files, ...(instructions ? [instructions.file] : [])];
	return {
		argv: [
			...plugin.value.argv,
			...deniedTools(def.capability).map((tool) => `--deny-tool=${tool}`),
			...servers.value.map((name) => `--disable-mcp-server=${name}`),
		],
		env: {
			...toIdentityEnv(def),
			...(instructions ? { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: instructions.folder } : {}),
		},
		files,
		remove: () => removeAll([guard.definitionPath, pluginDir, ...(instructions ? [instructions.folder] : [])]),
	};
}

/** A second barrier if the guard times out. */
function deniedTools(capability: string): string[] {
	const commands = staticDenials(capability).map((words) => `shell(${words.join(' ')})`);
	return rightsOf(capability).writes ? commands : [...commands, 'write'];
}

/** In additional folders Copilot reads only files of this form. */
function writeInstructions(stateDir: string, { content }: OverlayContent): { folder: string; file: string } {
	const folder = join(stateDir, 'copilot-instructions');
	return { folder, file: deployFile(join(folder, '.github', 'instructions'), content, 'roost.instructions.md') };
}
