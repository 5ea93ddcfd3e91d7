// The adapter of Pi.
import { join } from 'node:path';
import { programFile } from '@roost/core/process/program-files';
import { quoteArgv } from '../base/argv.ts';
import { buildEnv, deployFile, removeAll } from '../base/deploy-file.ts';
import { toTranscriptSummary } from '../base/transcripts.ts';
import type {
	AgentAdapter,
	Deployed,
	HooksDef,
	OverlayContent,
	ReadyState,
	SpawnOpts,
	TranscriptSummary,
} from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import type { PiConfig } from '../kind/agent-kind.ts';
import { GUARD_VARIABLE } from './extension/shared.ts';
import { connectRpc } from './rpc-connection.ts';
import { createSessionUsage, sessionFolder, sumSessionFile } from './session-files.ts';
import { expandModel } from './start-argv.ts';

const PROGRAM = 'pi';

/** A repository's settings, extensions, skills and prompts have no effect; AGENTS.md applies. */
const TRUST_NOTHING = ['--no-approve'];

export function createPiAdapter(config: PiConfig = {}): AgentAdapter {
	return {
		id: 'pi',
		title: 'Pi',
		program: PROGRAM,
		instructionPath: 'AGENTS.md',
		traits: {
			hasTerminal: true,
			verifiesBeacon: false,
			connects: { argv: ['--mode', 'rpc', ...TRUST_NOTHING] },
			guard: 'an extension that Pi loads by its absolute path and that runs before each call',
		},
		buildSpawnCommand: (opts) => quoteArgv(toSpawnArgv(opts, config)),
		buildPrintCommand: (prompt, model) => toPrintArgv(prompt, model, config),
		deployConfig,
		detectReady,
		parseTranscript,
		buildEnv,
		// It accepts input as soon as its editor is drawn.
		requiresBeaconVerification: () => false,
		connect: connectRpc,
	};
}

/** Pi never asks: deployed guards decide. */
function toSpawnArgv(opts: SpawnOpts, config: PiConfig): string[] {
	const { systemPrompt, appendSystemPrompt, appendSystemPromptFile, deployed } = opts;
	return [
		...(opts.program ?? [PROGRAM]),
		...TRUST_NOTHING,
		'--model',
		expandModel(opts.model, config),
		...flag('--system-prompt', systemPrompt),
		...flag('--append-system-prompt', appendSystemPrompt),
		...flag('--append-system-prompt', appendSystemPromptFile),
		...(deployed?.argv ?? []),
	];
}

/** Without tools, because it runs without a user and without a guard. */
function toPrintArgv(prompt: string, model: string | undefined, config: PiConfig): string[] {
	const bare = ['--print', ...TRUST_NOTHING, '--no-extensions', '--no-tools', '--no-session'];
	const named = model === undefined ? [] : ['--model', expandModel(model, config)];
	// Pi takes an argument that begins with @ for a file.
	return [PROGRAM, ...bare, ...named, '--', prompt.startsWith('@') ? ` ${prompt}` : prompt];
}

function flag(name: string, value: string | undefined): string[] {
	return value === undefined ? [] : [name, value];
}

/** Everything is outside the worktree. */
async function deployConfig(worktreePath: string, overlay: OverlayContent | undefined, hooks: HooksDef): Promise<Deployed> {
	const folder = join(hooks.stateDir, 'pi');
	const instructions = overlay && deployFile(folder, overlay.content, 'AGENTS.md');
	const guard = deployGuard(hooks, 'pi');
	const sessions = await sessionFolder(process.env, worktreePath);
	return {
		// No other extension: it could change a call after the guard.
		argv: [
			...flag('--append-system-prompt', instructions),
			...['--no-extensions', '--extension', programFile('piGuard')],
			...['--session-dir', sessions],
		],
		env: { ROOST_AGENT_NAME: hooks.agentName, [GUARD_VARIABLE]: JSON.stringify(guard.argv) },
		files: [...(instructions === undefined ? [] : [instructions]), guard.definitionPath],
		remove: () => removeAll([folder, guard.definitionPath]),
	};
}

async function parseTranscript(path: string): Promise<TranscriptSummary | null> {
	const sums = await sumSessionFile(path, createSessionUsage());
	return sums && toTranscriptSummary(sums.model, sums.usage);
}

/** Around the editor and dialogs. While working, the upper one contains a spinner. */
const RULE = /^─{2}.*─{8}$/;
const SPINNER = /[\u2800-\u28ff]/;
/** The last line of every dialog. */
const HINT = /^(?:↑↓ navigate {2})?enter (?:select|submit) {2}escape\/ctrl\+c cancel$/;
/** Context usage: `0.0%/200k`, `?/1.0M`. */
const FOOTER = /(?:\d+\.\d%|\?)\/\d+(?:\.\d+)?[kM]?\b/;

/** The only start-up dialog. Escape declines; the first row would trust the repository permanently. */
const TRUST = 'Trust project folder?';
const REFUSE: ReadyState = { phase: 'dialog', action: 'Escape' };
const LOADING: ReadyState = { phase: 'loading' };

/** From below: above is the conversation, which may contain anything. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const lower = lines.findLastIndex((line) => RULE.test(line));
	if (lower < 1) return LOADING;
	const upper = lines.slice(0, lower).findLastIndex((line) => RULE.test(line));
	// Other dialogs come from extensions and are for people: no key is returned for them.
	if (HINT.test(lines[lower - 1] ?? '')) return lines[upper + 1] === TRUST && lower === lines.length - 1 ? REFUSE : LOADING;
	if (upper < 0 || !lines.slice(lower + 1).some((line) => FOOTER.test(line))) return LOADING;
	// Older versions show it in a separate line above.
	const isWorking = [lines[upper], lines[upper - 1]].some((line) => line !== undefined && SPINNER.test(line.slice(0, 8)));
	return isWorking ? LOADING : { phase: 'ready' };
}
