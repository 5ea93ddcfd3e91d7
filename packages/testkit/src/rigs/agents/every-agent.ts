// All real agents as one table, for tests that do the same with each: in a terminal, or alone as its user starts it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentAdapter } from '@roost/agents/base/types';
import { createClaudeAdapter } from '@roost/agents/claude/claude-adapter';
import { createCodexAdapter } from '@roost/agents/codex/codex-adapter';
import { createCopilotAdapter } from '@roost/agents/copilot/copilot-adapter';
import { createPiAdapter } from '@roost/agents/pi/pi-adapter';
import { type Block, callTool, message, say } from '../../fakes/model-reply.ts';
import type { Script } from '../../fakes/script.ts';
import { type Exit, startProgram } from '../program.ts';
import { putFiles } from '../put-files.ts';
import type { Requirement } from '../requirements.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { type AgentProgram, agentProgram } from './agent-programs.ts';
import type { AgentRig, AgentRigOptions, AgentWords } from './agent-rig.ts';
import { claudeWords, NO_SURROUNDINGS, openClaudeRig } from './claude-rig.ts';
import { CODEX_MODEL, codexWords, openCodexRig } from './codex-rig.ts';
import { copilotWords, openCopilotRig } from './copilot-rig.ts';
import { openPiRig, PI_MODEL, piWords } from './pi-rig.ts';

type Kind = {
	readonly words: AgentWords;
	readonly model: string;
	createAdapter(): AgentAdapter;
	/** A call that it asks about in its terminal; null for agents that never ask. */
	readonly asksAbout: ((command: string) => Block) | null;
	/** The arguments of one prompt without a terminal. */
	toArgs(prompt: string): readonly string[];
	open(options: Omit<AgentRigOptions, 'deps'>): Promise<AgentRig>;
};

const KINDS: Readonly<Record<AgentProgram, Kind>> = {
	claude: {
		words: claudeWords,
		model: 'sonnet',
		createAdapter: () => createClaudeAdapter({ readSurroundings: async () => NO_SURROUNDINGS }),
		asksAbout: (command) => callTool('Bash', { command }),
		toArgs: (prompt) => ['-p', prompt],
		open: openClaudeRig,
	},
	pi: {
		words: piWords,
		model: PI_MODEL,
		createAdapter: createPiAdapter,
		asksAbout: null,
		toArgs: (prompt) => ['-p', prompt],
		open: openPiRig,
	},
	copilot: {
		words: copilotWords,
		model: 'fake-model',
		createAdapter: createCopilotAdapter,
		asksAbout: copilotWords.shell,
		toArgs: (prompt) => ['--allow-all-tools', '-p', prompt],
		open: openCopilotRig,
	},
	codex: {
		words: codexWords,
		model: CODEX_MODEL,
		createAdapter: createCodexAdapter,
		asksAbout: (cmd) => callTool('exec_command', { cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' }),
		toArgs: (prompt) => ['exec', '--skip-git-repo-check', '--sandbox=workspace-write', '--', prompt],
		open: openCodexRig,
	},
};

export type TuiRig = Pick<AgentRig, 'env' | 'requests' | typeof Symbol.asyncDispose> & {
	readonly adapter: AgentAdapter;
	readonly model: string;
	/** A git repository that is new to the agent. */
	readonly worktree: string;
};

export type TuiAgentKind = Pick<Kind, 'asksAbout' | 'words'> & {
	readonly name: AgentProgram;
	readonly needs: Requirement;
	/** The agent's program is on the PATH of the rig's environment. */
	open(script: Script): Promise<TuiRig>;
};

const NAMES = ['claude', 'pi', 'copilot', 'codex'] as const;

export const TUI_AGENTS: readonly TuiAgentKind[] = NAMES.map((name) => ({
	name,
	needs: agentProgram(name),
	asksAbout: KINDS[name].asksAbout,
	words: KINDS[name].words,
	open: (script) => openTuiAgent(KINDS[name], script),
}));

async function openTuiAgent({ open, createAdapter, model }: Kind, script: Script): Promise<TuiRig> {
	const rig = await open({ script });
	const worktree = join(rig.home, 'worktree');
	await mkdir(worktree);
	await createGitRepository(worktree, { PATH: process.env.PATH ?? '', HOME: rig.home });
	const env = { ...rig.env, PATH: rig.roostEnv.PATH ?? '' };
	return { ...rig, adapter: createAdapter(), model, worktree, env };
}

export type PlainAgent = AgentRig & {
	/** The arguments of one prompt. */
	argv(text: string): readonly string[];
	/** Runs one prompt without Roost, in the project by default. */
	prompt(text: string, cwd?: string): Promise<Exit>;
	roostIn(cwd: string, ...args: readonly string[]): Promise<Exit>;
};

const DEADLINE_MS = 120_000;

/** The agent makes one call in each session and is done; its user also has Roost. */
export async function openPlainAgent(name: AgentProgram, toBlock: (words: AgentWords) => Block): Promise<PlainAgent> {
	const { open, words, toArgs } = KINDS[name];
	const rig = await open({ script: ({ toolResults }) => message([toolResults.length > 0 ? say('done') : toBlock(words)]) });
	const { roostEnv: env } = rig;
	// A driven agent inherits no variable that only its provider needs.
	await putFiles(env.ROOST_HOME ?? '', { 'config.yaml': 'agents: {codex: {env: {FAKE_MODEL_KEY: dummy}}}\n' });
	return {
		...rig,
		argv: toArgs,
		prompt: (text, cwd = rig.project) => rig.run(toArgs(text), { cwd }),
		async roostIn(cwd, ...args) {
			await using running = await startProgram(roostArgv(...args), { cwd, env });
			return await running.waitForExit(DEADLINE_MS);
		},
		async [Symbol.asyncDispose]() {
			await rig.roost('down');
			await rig[Symbol.asyncDispose]();
		},
	};
}
