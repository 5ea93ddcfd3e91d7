// A home, a configuration and a repository for Claude alone, with the questions of a first run answered beforehand.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitRepository } from '../shell/git-repository.ts';

export type ClaudeHome = {
	readonly home: string;
	readonly configDir: string;
	/** A git repository with one commit, trusted by Claude. */
	readonly project: string;
	/** The whole environment of a `claude` that lives here. */
	readonly env: Readonly<Record<string, string>>;
};

/** A short key: Claude keeps it whole among the approved ones. */
const apiKey = 'dummy-key-00000';

export async function createClaudeHome(root: string, modelUrl: string): Promise<ClaudeHome> {
	const paths = {
		home: join(root, 'home'),
		configDir: join(root, 'config'),
		project: join(root, 'project'),
		tmp: join(root, 'tmp'),
	};
	await Promise.all(Object.values(paths).map((path) => mkdir(path, { mode: 0o700 })));
	await seedConfig(paths.configDir, paths.project);
	const env = claudeEnv(paths, modelUrl);
	await createGitRepository(paths.project, env);
	return { home: paths.home, configDir: paths.configDir, project: paths.project, env };
}

type Paths = { readonly home: string; readonly configDir: string; readonly tmp: string };

/** From an allow-list: nothing of the caller's home, keys or Claude settings may reach the child. */
function claudeEnv({ home, configDir, tmp }: Paths, modelUrl: string): Readonly<Record<string, string>> {
	const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ'].flatMap((name) => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(kept),
		TERM: 'xterm-256color',
		SHELL: '/bin/sh',
		HOME: home,
		TMPDIR: tmp,
		CLAUDE_CONFIG_DIR: configDir,
		ANTHROPIC_BASE_URL: modelUrl,
		ANTHROPIC_API_KEY: apiKey,
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		DISABLE_AUTOUPDATER: '1',
		DISABLE_ERROR_REPORTING: '1',
		DISABLE_TELEMETRY: '1',
	};
}

/** Answers the first-run questions beforehand: onboarding, the key, trust in the project. */
async function seedConfig(configDir: string, project: string): Promise<void> {
	const config = {
		hasCompletedOnboarding: true,
		customApiKeyResponses: { approved: [apiKey] },
		projects: { [project]: { hasTrustDialogAccepted: true } },
	};
	await writeFile(join(configDir, '.claude.json'), JSON.stringify(config), { mode: 0o600 });
}
