// The adapter of Codex.
import { readFileSync } from 'node:fs';
import { quoteArgv } from '../base/argv.ts';
import { buildEnv } from '../base/deploy-file.ts';
import type { AgentAdapter, ReadyState, SpawnOpts } from '../base/types.ts';
import { toConfigArgs, tomlList, tomlString, untrust } from './config-args.ts';
import { connectCodex } from './connect.ts';
import { deployCodexConfig } from './deploy-config.ts';
import { parseRollout } from './rollout-files.ts';

export function createCodexAdapter(): AgentAdapter {
	return {
		id: 'codex',
		title: 'Codex',
		program: 'codex',
		instructionPath: 'AGENTS.md',
		traits: {
			hasTerminal: true,
			verifiesBeacon: true,
			connects: { argv: ['app-server'] },
			guard: 'a hook that is trusted by its hash, given on the command line, and rules and a sandbox behind it',
		},
		buildSpawnCommand: (opts) => quoteArgv(toSpawnArgv(opts)),
		buildPrintCommand: (prompt, model) => [
			...['codex', 'exec', '--ephemeral', '--skip-git-repo-check', '--sandbox=read-only', '--color=never'],
			...(model === undefined ? [] : [`--model=${model}`]),
			...['--', prompt],
		],
		deployConfig: (worktreePath, overlay, hooks) => deployCodexConfig({ ...hooks, worktreePath }, overlay),
		detectReady,
		parseTranscript: parseRollout,
		buildEnv,
		requiresBeaconVerification: () => true,
		connect: connectCodex,
	};
}

/** `bypass`: writes only inside the folder. `ask`: no writes without asking. */
const MODES: Record<SpawnOpts['permissionMode'], readonly string[]> = {
	bypass: ['--ask-for-approval=never', '--sandbox=workspace-write'],
	ask: ['--ask-for-approval=on-request', '--sandbox=read-only'],
};

/** Without a daemon, which would run commands in the environment of its first client. */
function toSpawnArgv(opts: SpawnOpts): string[] {
	const { argv: deployed = [] } = opts.deployed ?? {};
	const instructions = toInstructions(opts, deployed);
	const [approval = '', sandbox = ''] = MODES[opts.permissionMode];
	return [
		...(opts.program ?? ['codex']),
		...['--no-daemon', `--model=${opts.model}`, approval],
		// A deployed sandbox mode takes precedence.
		...(deployed.some((arg) => arg.startsWith('sandbox_mode=')) ? [] : [sandbox]),
		...toConfigArgs({ check_for_update_on_startup: 'false', ...STATUS_LINE, projects: untrust([opts.cwd]) }),
		...deployed,
		...(instructions === '' ? [] : toConfigArgs({ developer_instructions: tomlString(instructions) })),
	];
}

const INSTRUCTIONS = 'developer_instructions=';

/** Codex accepts them once: deployed instructions come first. */
function toInstructions(opts: SpawnOpts, deployed: readonly string[]): string {
	const file = opts.appendSystemPromptFile;
	const texts = [opts.systemPrompt, opts.appendSystemPrompt, file === undefined ? undefined : readFileSync(file, 'utf8')];
	const added = texts.filter((text) => text !== undefined && text !== '');
	if (added.length === 0) return '';
	const given = deployed.find((arg) => arg.startsWith(INSTRUCTIONS))?.slice(INSTRUCTIONS.length);
	const before: unknown = given === undefined ? '' : JSON.parse(given);
	return [...(typeof before === 'string' && before !== '' ? [before] : []), ...added].join('\n\n');
}

/** Shows the state below the prompt, which is empty until Codex has started. */
const STATUS_LINE = { 'tui.status_line': tomlList(['run-state', 'model-with-reasoning', 'current-dir']) };

/** Start-up dialogs with all their rows and the row that continues. */
const AT_THE_START: readonly { asks: RegExp; rows: readonly RegExp[]; wanted: number }[] = [
	{ asks: /\bTrust this folder\?/, rows: [/^Trust and continue\b/, /^Quit\b/], wanted: 0 },
	{ asks: /\buntrusted folders stay disabled\b/, rows: [/^Open restricted\b/, /^Quit\b/], wanted: 0 },
	{
		asks: /\bHooks need review\b/,
		rows: [/^Review hooks\b/, /^Trust all and continue\b/, /^Continue without trusting\b/],
		wanted: 2,
	},
	{ asks: /./, rows: [/^Try new model\b/, /^Use existing model\b/], wanted: 1 },
];
/** Marks the selected row of a dialog, the input line, and earlier input. Output is indented. */
const MARK = '›';
const ROW = /^(?:›| ) *(\d+)\. (\S.*?)\s*$/;
const STATUS = /^\s+(?:Ready · .*|[^·]+ · [~/][^·]*)$/;
const QUEUED = /\bWaiting for startup\b/;
const WORKING = /^\S .*\besc to interrupt\)/;
const NEAR = 4;
const LOADING: ReadyState = { phase: 'loading' };

/** Dialogs about the work are for people: no key is returned for them. */
export function detectReady(paneContent: string): ReadyState {
	const lines = paneContent.split('\n').filter((line) => line.trim() !== '');
	const at = lines.findLastIndex((line) => line.startsWith(MARK));
	if (ROW.test(lines[at] ?? '')) return answerDialog(lines, at);
	const below = lines.slice(at + 1).slice(-NEAR);
	const isWorking = lines.slice(Math.max(at - NEAR, 0), Math.max(at, 0)).some((line) => WORKING.test(line));
	const isReady = at >= 0 && !isWorking && below.some((line) => STATUS.test(line)) && !below.some((line) => QUEUED.test(line));
	return isReady ? { phase: 'ready' } : LOADING;
}

/** One key at a time. A call may look like a start-up dialog, but its approval rows are below and its prompt is above. */
function answerDialog(lines: readonly string[], at: number): ReadyState {
	const first = lines.slice(0, at + 1).findLastIndex((line) => ROW.exec(line)?.[1] === '1');
	const rows = lines.slice(Math.max(first, 0)).flatMap((line) => ROW.exec(line)?.[2] ?? []);
	const text = lines.slice(0, Math.max(first, 0)).join(' ').replace(/\s+/g, ' ');
	const known = AT_THE_START.find(
		(dialog) =>
			dialog.asks.test(text) && dialog.rows.length === rows.length && dialog.rows.every((row, n) => row.test(rows[n] ?? '')),
	);
	const isAlone = lines.filter((line) => line.startsWith(MARK)).length === 1;
	if (!known || !isAlone || first < 0) return LOADING;
	const chosen = at - first;
	return { phase: 'dialog', action: chosen === known.wanted ? 'Enter' : chosen < known.wanted ? 'Down' : 'Up' };
}
