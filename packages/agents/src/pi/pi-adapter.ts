// The adapter of Pi.
import { join } from 'node:path';
import { programFile } from '@roost/core/process/program-files';
import { buildEnv, deployFile, removeAll } from '../base/deploy-file.ts';
import { quoteArgv } from '../base/shell-quote.ts';
import type { AgentAdapter, Deployed, HooksDef, OverlayContent, SpawnOpts, TranscriptSummary } from '../base/types.ts';
import { toTranscriptSummary } from '../base/usage.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import type { PiConfig } from '../kind/agent-kind.ts';
import { detectReady } from './detect-ready.ts';
import { GUARD_VARIABLE } from './extension/shared.ts';
import { expandModel } from './models.ts';
import { connectRpc } from './rpc-connection.ts';
import { sessionFolder } from './session-files.ts';
import { createSessionUsage, sumSessionFile } from './session-lines.ts';

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
