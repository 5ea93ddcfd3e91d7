// The adapter of GitHub Copilot.

import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { connectAcp } from '../acp/rpc-connection.ts';
import { buildEnv, deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import { quoteArgv } from '../base/shell-quote.ts';
import type { AgentAdapter, Deployed, HooksDef, OverlayContent, SpawnOpts } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { rightsOf, staticDenials } from '../guards/table.ts';
import { detectReady } from './detect-ready.ts';
import { writeHookPlugin } from './hook-gate.ts';
import { refuseRepositoryHooks, repositoryServers } from './repository.ts';
import { parseTranscript } from './session-events.ts';

export function createCopilotAdapter(): AgentAdapter {
	return {
		id: 'copilot',
		title: 'GitHub Copilot',
		program: 'copilot',
		instructionPath: '.github/copilot-instructions.md',
		traits: {
			hasTerminal: true,
			verifiesBeacon: true,
			connects: { argv: ['--acp', '--no-auto-update'] },
			guard: 'a hook in a plugin that is given to it, outside the worktree, and its own --deny-tool behind it',
			isLastLine: (line) => /^\{"type":\s*"session\.shutdown"/.test(line),
		},
		buildSpawnCommand: (opts) => quoteArgv(toSpawnArgv(opts)),
		// Without permission it only runs reading tools, and does not ask.
		buildPrintCommand: (prompt, model) => [
			...['copilot', '--silent', '--no-ask-user', '--no-auto-update', '--disable-builtin-mcps', '--no-custom-instructions'],
			...(model === undefined ? [] : [`--model=${model}`]),
			`--prompt=${prompt}`,
		],
		deployConfig: (worktreePath, overlay, hooks) => deployCopilot({ ...hooks, worktreePath }, overlay),
		detectReady,
		parseTranscript,
		buildEnv,
		requiresBeaconVerification: () => true,
		connect: connectAcp,
	};
}

/** One word per flag, so that no value is read as a flag. There is no flag for a system prompt: instructions are deployed. */
function toSpawnArgv({
	program = ['copilot'],
	model,
	permissionMode,
	deployed,
	systemPrompt,
	appendSystemPrompt,
	appendSystemPromptFile,
}: SpawnOpts): string[] {
	if ([systemPrompt, appendSystemPrompt, appendSystemPromptFile].some((text) => text !== undefined && text !== ''))
		throw new TypeError('Copilot takes no system prompt: deploy the text as its instructions');
	return [
		...program,
		...['--no-auto-update', `--model=${model}`],
		...(permissionMode === 'bypass' ? ['--allow-all-tools'] : []),
		...(deployed?.argv ?? []),
	];
}

/** Seconds; the guard answers earlier. */
const TIMEOUT_S = 60;

/** Throws an `AppError` where the guard cannot be deployed. */
async function deployCopilot(def: HooksDef, overlay: OverlayContent | undefined): Promise<Deployed> {
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
