// The home of a real `copilot` of a test's own, with a scripted model: nothing is asked of GitHub, and nothing leaves loopback.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeChatCompletions } from '../../fakes/chat-completions-server.ts';
import type { FakeModel } from '../../fakes/model-server.ts';
import type { Script } from '../../fakes/script.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { createTempDir } from '../temp-dir.ts';
import { findAgentProgram } from './agent-programs.ts';

export type CopilotHome = AsyncDisposable & {
	readonly project: string;
	readonly home: string;
	/** Where Copilot keeps its settings and its sessions. */
	readonly copilotHome: string;
	readonly env: Readonly<Record<string, string>>;
	readonly program: string;
	readonly model: FakeModel;
};

export async function createCopilotHome({ script }: { readonly script: Script }): Promise<CopilotHome> {
	const program = findAgentProgram('copilot');
	if (program === null) throw new Error('copilot is not installed: run `npm install` without --omit=dev.');
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	// Its npm program starts another one, which outlives it.
	stack.defer(() => endProcessesWithEnv(temp.path));
	const model = stack.use(await startFakeChatCompletions(script));
	const home = join(temp.path, 'home');
	const project = join(temp.path, 'project');
	const copilotHome = join(temp.path, 'copilot');
	for (const folder of [home, project, copilotHome]) await mkdir(folder);
	const env = {
		PATH: process.env.PATH ?? '',
		HOME: home,
		COPILOT_HOME: copilotHome,
		// Copilot unpacks itself there, which takes seconds: once for all tests.
		COPILOT_CACHE_HOME: UNPACKED,
		COPILOT_OFFLINE: 'true',
		COPILOT_AUTO_UPDATE: 'false',
		COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
		COPILOT_PROVIDER_API_KEY: 'dummy',
		COPILOT_MODEL: 'fake-model',
	};
	await createGitRepository(project, env);
	const owned = stack.move();
	return { project, home, copilotHome, env, program, model, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const UNPACKED = join(dirname(fileURLToPath(import.meta.url)), '../../../../../node_modules/.cache/copilot');
