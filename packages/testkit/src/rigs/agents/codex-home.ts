// A home for the real `codex`: a configuration that names a scripted model, a repository, and nothing of this machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrokenSandbox } from '@roost/agents/codex/codex-kind';
import { createGitRepository } from '../shell/git-repository.ts';
import { findAgentProgram } from './agent-programs.ts';

export type CodexHome = {
	/** The `codex` program itself. */
	readonly binary: string;
	readonly home: string;
	/** For CODEX_HOME. */
	readonly configDir: string;
	/** A git repository with one commit. */
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
};

/** One of the models that Codex itself knows, and that is given its tools one by one. */
export const CODEX_MODEL = 'gpt-5.5';

export async function createCodexHome(directory: string, modelUrl: string): Promise<CodexHome> {
	const binary = findAgentProgram('codex');
	if (binary === null) throw new Error('codex is not installed: run `npm install` without --omit=dev');
	const obstacle = await findBrokenSandbox(process.env);
	if (obstacle) throw new Error(`${obstacle.says}. ${obstacle.remedy}`);
	const home = join(directory, 'home');
	const configDir = join(home, '.codex');
	const project = join(directory, 'project');
	await mkdir(configDir, { recursive: true });
	await mkdir(project);
	await writeFile(join(configDir, 'config.toml'), toConfig(modelUrl));
	const env = {
		PATH: process.env.PATH ?? '',
		HOME: home,
		CODEX_HOME: configDir,
		LANG: 'C.UTF-8',
		FAKE_MODEL_KEY: 'dummy',
	};
	await createGitRepository(project, env);
	return { binary, home, configDir, project, env };
}

/** Without second tries: an error is an error at once. */
function toConfig(modelUrl: string): string {
	return `model = "${CODEX_MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0
`;
}
