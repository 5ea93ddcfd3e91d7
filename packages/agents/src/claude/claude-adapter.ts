// The adapter of Claude Code.
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

/** A repository's settings have no effect on permissions or programs. */
const NO_SETTINGS = '--setting-sources=';

/** Without a mode a model would decide. */
const MODES: Record<SpawnOpts['permissionMode'], string> = { bypass: 'bypassPermissions', ask: 'manual' };

/** One word per flag, so that no value is read as a flag. */
function toSpawnArgv(opts: SpawnOpts): string[] {
	const { deployed } = opts;
	const added = [opts.systemPrompt, opts.appendSystemPrompt].filter((text) => text !== undefined && text !== '').join('\n\n');
	const file = opts.appendSystemPromptFile;
	// Claude reads only the last such file and ignores the others silently.
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

/** With the user's own configuration, without MCP servers of the project, which are not trusted. */
function ownSurroundings(): ReadSurroundings {
	return createReadSurroundings({ homeDir: process.env.HOME || homedir(), env: onlySet(process.env), isTrusted: () => false });
}
