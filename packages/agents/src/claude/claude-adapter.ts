// The adapter of Claude Code.
import { homedir } from 'node:os';
import { pinLinker } from '@roost/core/process/loader-variables';
import { onlySet } from '@roost/core/runtime/child-environment';
import { quoteArgv } from '../base/argv.ts';
import { buildEnv, deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import type { AgentAdapter, Deployed, HooksDef, OverlayContent, ReadyState, SpawnOpts } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { createReadSurroundings, type ReadSurroundings } from './sdk/read-surroundings.ts';
import { statusOfScreen } from './status/claude-status.ts';
import { parseTranscript } from './transcript/read-transcript.ts';

type ClaudeRuntimeDeps = {
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

/** Start-up dialogs with all their rows and the row that continues. */
const AT_THE_START: readonly { asks: RegExp; rows: readonly RegExp[]; wanted: number }[] = [
	{
		asks: /\bIs this a project you created or one you trust\?/,
		rows: [/^No, exit$/, /^Yes, I trust this folder$/],
		wanted: 1,
	},
	{ asks: /\bDo you want to use this API key\?/, rows: [/^Yes$/, /^No \(recommended\)$/], wanted: 0 },
	{ asks: /\brunning in Bypass Permissions mode\b/, rows: [/^No, exit$/, /^Yes, I accept$/], wanted: 1 },
];
const ASKS_STYLE = /\bChoose the text style that looks best\b/;
const STYLE = /^(?:Auto \(match terminal\)|(?:Dark|Light) mode\b.*)$/;
const RULE = /^\s*[─▔]{20,}/;
const ROW = /^\s*(❯ )?\s*(?:\d+\. )?(\S.*?)\s*$/;
const FOOTER = /^\s*Enter to confirm\b/;

/** The default row refuses, so one key at a time: towards the wanted row, then Enter. Dialogs about the work are for people. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent.split('\n').filter((line) => line.trim() !== '');
	const { status, waitingFor } = statusOfScreen(lines);
	if (status === 'idle') return { phase: 'ready' };
	const action = status === 'waiting' && waitingFor !== 'permission prompt' ? keyFor(lines) : undefined;
	return action === undefined ? { phase: 'loading' } : { phase: 'dialog', action };
}

/** Only the lowest rows count: what a call displays stands above them. */
function keyFor(lines: readonly string[]): 'Enter' | 'Up' | 'Down' | undefined {
	const dialog = lines.slice(lines.findLastIndex((line) => RULE.test(line)) + 1);
	const text = dialog.join(' ').replace(/\s+/g, ' ');
	const lowest = dialog.findLast(isChosen);
	if (lowest !== undefined && ASKS_STYLE.test(text)) return STYLE.test(rowText(lowest)) ? 'Enter' : undefined;
	if (!FOOTER.test(dialog.at(-1) ?? '')) return undefined;
	for (const { asks, rows, wanted } of AT_THE_START) {
		const shown = dialog.slice(-1 - rows.length, -1);
		const chosen = shown.findIndex(isChosen);
		if (chosen < 0 || !asks.test(text) || !rows.every((row, at) => row.test(rowText(shown[at])))) continue;
		return chosen === wanted ? 'Enter' : chosen < wanted ? 'Down' : 'Up';
	}
	return undefined;
}

function isChosen(line: string): boolean {
	return line.trimStart().startsWith('❯ ');
}

function rowText(line = ''): string {
	return ROW.exec(line)?.[2] ?? '';
}
