// The adapter of GitHub Copilot.
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { connectAcp } from '../acp/rpc-connection.ts';
import { quoteArgv } from '../base/argv.ts';
import { buildEnv, deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import type { AgentAdapter, Deployed, HooksDef, OverlayContent, ReadyState, SpawnOpts } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { rightsOf, staticDenials } from '../guards/table.ts';
import { writeHookPlugin } from './copilot-agent.ts';
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

/** About the folder, for one time. The dialog of a call has another second row. */
const TRUST = /Do you trust the files in this folder\?$/;
const ROWS = [/^❯ 1\. Yes$/, /^2\. Yes, and remember this folder\b/, /^3\. No \(Esc\)$/];
const HINT = /\besc to cancel$/;
const FRAME = /^[│╭╮╰╯─\s]+|[│╭╮╰╯─\s]+$/g;
/** Above and below the input line. */
const RULE = /^─{20,}$/;
const FOOTER = /\/ commands\b/;
/** While working the footer shows how to stop; on a narrow screen the rest is cut first. */
const WORKING = /\besc interrupt\b/;

/** From below: above is the conversation, which may contain anything. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	if (asksForTrust(lines)) return { phase: 'dialog', action: 'Enter' };
	// A dialog about the work replaces this line and is for people: no key is returned for it.
	const below = lines.findLastIndex((line) => RULE.test(line));
	const isWaiting = lines[below - 1] === '❯' && RULE.test(lines[below - 2] ?? '');
	const footer = lines.slice(below + 1).join(' ');
	return isWaiting && FOOTER.test(footer) && !WORKING.test(footer) ? { phase: 'ready' } : { phase: 'loading' };
}

function asksForTrust(lines: readonly string[]): boolean {
	const texts = lines.map((line) => line.replaceAll(FRAME, '')).filter((line) => line !== '');
	const wanted = [TRUST, ...ROWS, HINT];
	const lowest = texts.slice(-wanted.length);
	return lowest.length === wanted.length && wanted.every((sign, at) => sign.test(lowest[at] ?? ''));
}
