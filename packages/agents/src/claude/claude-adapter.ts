// Claude Code as one kind of agent: how it is started in a terminal or for one answer, set up, recognised and read.
import { homedir } from 'node:os';
import { onlySet } from '@roost/core/runtime/child-environment';
import { buildEnv } from '../base/deploy-file.ts';
import { quoteArgv } from '../base/shell-quote.ts';
import type { AgentAdapter, Deployed, SpawnOpts } from '../base/types.ts';
import { deployClaudeGuard, deploySurroundings } from './deploy.ts';
import { detectReady } from './detect-ready.ts';
import { createReadSurroundings, type ReadSurroundings } from './sdk/read-surroundings.ts';
import { parseTranscript } from './transcript/read-transcript.ts';

export type ClaudeRuntimeDeps = {
	/** What it is given of the folder that it works in. */
	readSurroundings?: ReadSurroundings | undefined;
};

export function createClaudeAdapter({ readSurroundings = ownSurroundings() }: ClaudeRuntimeDeps = {}): AgentAdapter {
	return {
		id: 'claude',
		title: 'Claude Code',
		program: 'claude',
		instructionPath: '.claude/CLAUDE.md',
		traits: {
			hasTerminal: true,
			verifiesBeacon: true,
			connects: null,
			guard: 'hooks in a settings file that is given to it, outside the worktree',
		},
		buildSpawnCommand: (opts) => quoteArgv(toSpawnArgv(opts)),
		buildPrintCommand: (prompt, model) => [
			...['claude', '--print', NO_SETTINGS, `--permission-mode=${MODES.ask}`, '--strict-mcp-config', '--no-session-persistence'],
			...(model === undefined ? [] : [`--model=${model}`]),
			...['--', prompt],
		],
		async deployConfig(worktreePath, overlay, hooks) {
			const def = { ...hooks, worktreePath };
			return joinDeployed(await deployClaudeGuard(def), await deploySurroundings(def, overlay, readSurroundings));
		},
		detectReady,
		parseTranscript,
		buildEnv,
		requiresBeaconVerification: () => true,
	};
}

/** A repository's own settings decide nothing: neither what may run nor what runs at the start. */
const NO_SETTINGS = '--setting-sources=';

/** Without one it would decide by itself, with a model as its judge. */
const MODES: Record<SpawnOpts['permissionMode'], string> = { bypass: 'bypassPermissions', ask: 'manual' };

/** `--flag=value` as one word each, so that no value is read as a flag. */
function toSpawnArgv(opts: SpawnOpts): string[] {
	const { deployed } = opts;
	const added = [opts.systemPrompt, opts.appendSystemPrompt].filter((text) => text !== undefined && text !== '').join('\n\n');
	const file = opts.appendSystemPromptFile;
	// Claude takes one such file: of two it would read the last and leave out the other without a word.
	if (file !== undefined && deployed?.argv.some((arg) => arg.startsWith(FILE_FLAG)))
		throw new TypeError('instructions were deployed for this agent already: put the text of the file into them');
	return [
		...(opts.program ?? ['claude']),
		...[NO_SETTINGS, `--model=${opts.model}`, `--permission-mode=${MODES[opts.permissionMode]}`],
		...(added === '' ? [] : [`--append-system-prompt=${added}`]),
		...(file === undefined ? [] : [`${FILE_FLAG}${file}`]),
		...(deployed?.argv ?? []),
	];
}

function joinDeployed(...parts: readonly Deployed[]): Deployed {
	return {
		argv: parts.flatMap(({ argv }) => argv),
		env: Object.assign({}, ...parts.map(({ env }) => env)),
		files: parts.flatMap(({ files }) => files),
		async remove() {
			for (const part of parts) await part.remove();
		},
	};
}

const FILE_FLAG = '--append-system-prompt-file=';

/** As the user who runs this has it. Of a project's own servers none: nobody was asked whether to trust them. */
function ownSurroundings(): ReadSurroundings {
	return createReadSurroundings({ homeDir: process.env.HOME || homedir(), env: onlySet(process.env), isTrusted: () => false });
}
