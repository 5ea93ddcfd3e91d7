// The adapter of GitHub Copilot.
import { connectAcp } from '../acp/rpc-connection.ts';
import { buildEnv } from '../base/deploy-file.ts';
import { quoteArgv } from '../base/shell-quote.ts';
import type { AgentAdapter, SpawnOpts } from '../base/types.ts';
import { deployCopilot } from './deploy-copilot.ts';
import { detectReady } from './detect-ready.ts';
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
