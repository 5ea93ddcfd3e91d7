// The adapter of Codex.
import { readFileSync } from 'node:fs';
import { buildEnv } from '../base/deploy-file.ts';
import { quoteArgv } from '../base/shell-quote.ts';
import type { AgentAdapter, SpawnOpts } from '../base/types.ts';
import { toConfigArgs, tomlString, untrust } from './config-args.ts';
import { connectCodex } from './connect.ts';
import { deployCodexConfig } from './deploy-config.ts';
import { detectReady, STATUS_LINE } from './detect-ready.ts';
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
