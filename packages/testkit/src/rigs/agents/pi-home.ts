// A home, a configuration and a repository for Pi alone, whose only models are played by a fake.
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createGitRepository } from '../shell/git-repository.ts';

export type PiHome = {
	readonly home: string;
	/** Where Pi keeps settings, models and sessions. */
	readonly agentDir: string;
	/** A git repository with one commit. */
	readonly project: string;
	/** The whole environment of a `pi` that lives here. */
	readonly env: Readonly<Record<string, string>>;
};

export const PI_MODEL = 'fake/fake-model';

export async function createPiHome(root: string, modelUrl: string): Promise<PiHome> {
	const paths = { home: join(root, 'home'), agentDir: join(root, 'pi'), project: join(root, 'project'), tmp: join(root, 'tmp') };
	await Promise.all(Object.values(paths).map((path) => mkdir(path, { mode: 0o700 })));
	await writeFile(join(paths.agentDir, 'models.json'), JSON.stringify({ providers: { fake: toProvider(modelUrl) } }));
	// Pi waits for seconds between tries otherwise.
	const settings = { defaultProvider: 'fake', defaultModel: 'fake-model', retry: { baseDelayMs: 20 } };
	await writeFile(join(paths.agentDir, 'settings.json'), JSON.stringify(settings));
	const env = piEnv(paths);
	await createGitRepository(paths.project, env);
	return { home: paths.home, agentDir: paths.agentDir, project: paths.project, env };
}

function toProvider(baseUrl: string) {
	const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
	const limits = { contextWindow: 200_000, maxTokens: 8000, input: ['text'], reasoning: false, cost };
	const models = ['fake-model', 'other-model'].map((id) => ({ id, name: id, ...limits }));
	return { baseUrl, api: 'anthropic-messages', apiKey: 'dummy', models };
}

/** From an allow-list: nothing of the caller's home or keys may reach the child. The node of the tests starts it. */
function piEnv({ home, agentDir, tmp }: { home: string; agentDir: string; tmp: string }): Readonly<Record<string, string>> {
	return {
		PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
		LANG: 'C.UTF-8',
		TERM: 'xterm-256color',
		SHELL: '/bin/sh',
		HOME: home,
		TMPDIR: tmp,
		PI_CODING_AGENT_DIR: agentDir,
		PI_OFFLINE: '1',
		PI_TELEMETRY: '0',
	};
}
