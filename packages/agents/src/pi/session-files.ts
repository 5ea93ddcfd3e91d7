// Where Pi stores conversations. A repository has no influence on it.
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseBounded } from '../hooks/bounded-json.ts';

/** Anything else could be a flag, a path, or a prefix of another id. */
export const nativeSessionId = z.guid();

/** For `--session-dir`. Pi would read it even from the settings of an untrusted repository. */
export async function sessionFolder(env: PiEnv, cwd: string): Promise<string> {
	const chosen = await chosenFolder(env, cwd);
	return (
		chosen ??
		join(
			agentFolder(env),
			'sessions',
			`--${resolve(cwd)
				.replace(/^[/\\]/, '')
				.replace(/[/\\:]/g, '-')}--`,
		)
	);
}

/** Undefined without a file: Pi stores a conversation after the first response. */
export async function findSessionFile(env: PiEnv, cwd: string, nativeId: string): Promise<string | undefined> {
	const chosen = await chosenFolder(env, cwd);
	const folders = chosen === undefined ? await foldersIn(join(agentFolder(env), 'sessions')) : [chosen];
	for (const folder of folders) {
		const name = (await namesIn(folder)).find((each) => each.endsWith(`_${nativeId}.jsonl`));
		if (name !== undefined) return join(folder, name);
	}
	return undefined;
}

export type PiEnv = Readonly<Record<string, string | undefined>>;

export function agentFolder(env: PiEnv): string {
	return env.PI_CODING_AGENT_DIR ? expandHome(env.PI_CODING_AGENT_DIR, env) : join(homeOf(env), '.pi', 'agent');
}

const userSettings = z.object({ sessionDir: z.string().min(1) });

/** From the user's environment or settings. */
async function chosenFolder(env: PiEnv, cwd: string): Promise<string | undefined> {
	if (env.PI_CODING_AGENT_SESSION_DIR) return resolve(cwd, expandHome(env.PI_CODING_AGENT_SESSION_DIR, env));
	const text = await readFile(join(agentFolder(env), 'settings.json'), 'utf8').catch(() => '{}');
	const parsed = userSettings.safeParse(parseBounded(text));
	return parsed.success ? resolve(cwd, expandHome(parsed.data.sessionDir, env)) : undefined;
}

function expandHome(path: string, env: PiEnv): string {
	return path === '~' || path.startsWith('~/') ? join(homeOf(env), path.slice(1)) : path;
}

function homeOf(env: PiEnv): string {
	return env.HOME || homedir();
}

async function foldersIn(folder: string): Promise<string[]> {
	return (await namesIn(folder)).map((name) => join(folder, name));
}

async function namesIn(folder: string): Promise<string[]> {
	return await readdir(folder).catch(() => []);
}
