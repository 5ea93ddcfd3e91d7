// Sets up Copilot for one agent: its guard by a plugin of its own, the most dangerous commands denied a second time by Copilot
// itself, its instructions in a folder outside the worktree, and nothing that the repository would start.
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import type { Deployed, HooksDef, OverlayContent } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { rightsOf, staticDenials } from '../guards/table.ts';
import { writeHookPlugin } from './hook-plugin.ts';
import { refuseRepositoryHooks, repositoryServers } from './repository.ts';

/** Seconds; the guard itself answers long before. */
const TIMEOUT_S = 60;

/** Throws an `AppError` where it cannot be deployed: an agent may not be started without its guard. */
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

/** Behind the guard, should it ever be too slow: Copilot's own word is no, whatever it is allowed otherwise. */
function deniedTools(capability: string): string[] {
	const commands = staticDenials(capability).map((words) => `shell(${words.join(' ')})`);
	return rightsOf(capability).writes ? commands : [...commands, 'write'];
}

/** Copilot reads further folders for instructions, but in them only files of this form. */
function writeInstructions(stateDir: string, { content }: OverlayContent): { folder: string; file: string } {
	const folder = join(stateDir, 'copilot-instructions');
	return { folder, file: deployFile(join(folder, '.github', 'instructions'), content, 'roost.instructions.md') };
}
