// The real `claude` against a scripted model, with the questions of a first run answered beforehand.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ClaudeAgentDeps, createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import type { Surroundings } from '@roost/agents/claude/sdk/read-surroundings';
import { startFakeAnthropic } from '../../fakes/anthropic-server.ts';
import { callTool } from '../../fakes/model-reply.ts';
import type { Exit, Program } from '../program.ts';
import {
	type AgentRig,
	type AgentRigOptions,
	type AgentWords,
	openAgentRig,
	type RigKind,
	type RunOptions,
	type SpawnOptions,
} from './agent-rig.ts';

/** `settings` are given to `--settings` as a file. */
type WithSettings = { readonly settings?: unknown };

export type ClaudeRig = Omit<AgentRig<ClaudeAgentDeps>, 'run' | 'spawn'> & {
	/** Writes a file for `--settings` that only its owner can read; returns its path. */
	writeSettings(settings: unknown): Promise<string>;
	run(args: readonly string[], options?: RunOptions & WithSettings): Promise<Exit>;
	spawn(args: readonly string[], options?: SpawnOptions & WithSettings): Promise<Program>;
};

export type ClaudeRigOptions = AgentRigOptions<ClaudeAgentDeps> & {
	/** What the repository adds to a driven session; nothing by default. */
	surroundings?: Partial<Surroundings>;
};

export const NO_SURROUNDINGS: Surroundings = { instructions: '', mcpServers: {}, leftOut: [] };

export async function openClaudeRig({ surroundings, ...options }: ClaudeRigOptions): Promise<ClaudeRig> {
	const readSurroundings = async () => ({ ...NO_SURROUNDINGS, ...surroundings });
	const rig = await openAgentRig(CLAUDE, { ...options, deps: { readSurroundings, ...options.deps } });
	const writeSettings = async (settings: unknown): Promise<string> => {
		const path = join(dirname(rig.project), `settings-${randomUUID()}.json`);
		await writeFile(path, JSON.stringify(settings), { mode: 0o600 });
		return path;
	};
	const toArgs = async (args: readonly string[], settings: unknown) =>
		settings === undefined ? args : ['--settings', await writeSettings(settings), ...args];
	return {
		...rig,
		writeSettings,
		spawn: async (args, { settings, ...given } = {}) => await rig.spawn(await toArgs(args, settings), given),
		run: async (args, { settings, ...given } = {}) => await rig.run(await toArgs(args, settings), given),
	};
}

export const claudeWords: AgentWords = {
	shell: (command) => callTool('Bash', { command, description: 'a command' }),
	write: (path, text) => callTool('Write', { file_path: path, content: text }),
	read: (path) => callTool('Read', { file_path: path }),
	question: (question, choices) =>
		callTool('AskUserQuestion', {
			questions: [
				{ question, header: 'Choose', multiSelect: false, options: choices.map((label) => ({ label, description: label })) },
			],
		}),
};

/** A short key: Claude keeps it whole among the approved ones. */
const API_KEY = 'dummy-key-00000';

const CLAUDE: RigKind<ClaudeAgentDeps> = {
	program: 'claude',
	startModel: startFakeAnthropic,
	async setUp({ configDir, project, tmp }, modelUrl) {
		const config = {
			hasCompletedOnboarding: true,
			customApiKeyResponses: { approved: [API_KEY] },
			projects: { [project]: { hasTrustDialogAccepted: true } },
		};
		await writeFile(join(configDir, '.claude.json'), JSON.stringify(config), { mode: 0o600 });
		const kept = ['LANG', 'LC_ALL', 'TZ'].flatMap((name) => {
			const value = process.env[name];
			return value === undefined ? [] : [[name, value] as const];
		});
		return {
			...Object.fromEntries(kept),
			TERM: 'xterm-256color',
			SHELL: '/bin/sh',
			TMPDIR: tmp,
			CLAUDE_CONFIG_DIR: configDir,
			ANTHROPIC_BASE_URL: modelUrl,
			ANTHROPIC_API_KEY: API_KEY,
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
			DISABLE_AUTOUPDATER: '1',
			DISABLE_ERROR_REPORTING: '1',
			DISABLE_TELEMETRY: '1',
		};
	},
	toDeps: ({ program, env, home }) => ({
		readSurroundings: async () => NO_SURROUNDINGS,
		env: () => env,
		command: [program],
		privateDir: join(home, 'private'),
	}),
	createAgent: createClaudeAgent,
};
