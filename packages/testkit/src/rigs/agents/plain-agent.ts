// The real agents as their users start them, without Roost around them: each makes one call and ends.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Block, message, say } from '../../fakes/model-reply.ts';
import type { Script } from '../../fakes/script.ts';
import { startProgram } from '../program.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import type { AgentProgram } from './agent-programs.ts';
import type { AgentRig, AgentWords } from './agent-rig.ts';
import { codexWords, openCodexRig } from './codex-rig.ts';
import { copilotWords, openCopilotRig } from './copilot-rig.ts';
import { openPiRig, piWords } from './pi-rig.ts';

export type PlainAgent = AsyncDisposable & {
	readonly project: string;
	readonly home: string;
	/** Where the agent keeps the settings of its user. */
	readonly folder: string;
	readonly env: Readonly<Record<string, string>>;
	/** The arguments of one prompt. */
	argv(text: string): readonly string[];
	/** One prompt, in the project unless said otherwise. */
	prompt(text: string, cwd?: string): Promise<Exit>;
	/** The command line of Roost, beside an agent that is found on the PATH. */
	roost(...args: readonly string[]): Promise<Exit>;
	roostIn(cwd: string, ...args: readonly string[]): Promise<Exit>;
};

type Exit = { code: number | null; stdout: string; stderr: string };
type Kind = {
	words: AgentWords;
	open(script: Script): Promise<AgentRig & { program: string; folder: string }>;
	argv(prompt: string): readonly string[];
};

const KINDS: Readonly<Record<AgentProgram, Kind>> = {
	codex: {
		words: codexWords,
		async open(script) {
			const rig = await openCodexRig({ script });
			return { ...rig, program: rig.binary, folder: rig.configDir };
		},
		argv: (prompt) => ['exec', '--skip-git-repo-check', '--sandbox=workspace-write', '--', prompt],
	},
	copilot: {
		words: copilotWords,
		async open(script) {
			const rig = await openCopilotRig({ script });
			return { ...rig, folder: rig.copilotHome };
		},
		argv: (prompt) => ['--allow-all-tools', '-p', prompt],
	},
	pi: {
		words: piWords,
		async open(script) {
			const rig = await openPiRig({ script });
			return { ...rig, folder: rig.agentDir };
		},
		argv: (prompt) => ['-p', prompt],
	},
};

const DEADLINE_MS = 60_000;

export async function openPlainAgent(agent: AgentProgram, toBlock: (words: AgentWords) => Block): Promise<PlainAgent> {
	const kind = KINDS[agent];
	// Again for each session.
	const rig = await kind.open(({ toolResults }) => message([toolResults.length > 0 ? say('done') : toBlock(kind.words)]));
	const bin = join(dirname(rig.project), 'bin');
	await mkdir(bin);
	await symlink(rig.program, join(bin, agent));
	const roostHome = join(dirname(rig.project), 'roost');
	await mkdir(roostHome, { mode: 0o700 });
	// A driven agent inherits no variable that only its provider needs.
	await writeFile(join(roostHome, 'config.yaml'), 'agents: {codex: {env: {FAKE_MODEL_KEY: dummy}}}\n', { mode: 0o600 });
	const roostEnv = { ...rig.env, PATH: `${bin}:${rig.env.PATH}`, ROOST_HOME: roostHome };
	const run = async (argv: readonly [string, ...string[]], cwd: string, env: Readonly<Record<string, string>>) => {
		await using running = await startProgram(argv, { cwd, env });
		return await running.waitForExit(DEADLINE_MS);
	};
	return {
		project: rig.project,
		home: rig.home,
		folder: rig.folder,
		env: rig.env,
		argv: kind.argv,
		prompt: (text, cwd = rig.project) => run([rig.program, ...kind.argv(text)], cwd, rig.env),
		roost: (...args) => run(roostArgv(...args), rig.project, roostEnv),
		roostIn: (cwd, ...args) => run(roostArgv(...args), cwd, roostEnv),
		async [Symbol.asyncDispose]() {
			await run(roostArgv('down'), rig.project, roostEnv);
			await rig[Symbol.asyncDispose]();
		},
	};
}
