// Codex takes rules from its home alone. A guarded agent gets a home of its own, which is the user's but for more rules.
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { deployFile } from '../base/deploy-file.ts';

const RULES = 'rules';
const OURS = 'roost-guard.rules';
/** Codex makes them when it first needs them: they must come to lie in the user's home all the same. */
const MADE_LATER = ['auth.json', 'auth.lock', 'history.jsonl'];

export type GuardedHome = { env: Readonly<Record<string, string>>; files: readonly string[]; remove(): Promise<void> };

const USERS_OWN: GuardedHome = { env: {}, files: [], remove: async () => {} };

/** Throws where it cannot be made. `denied`: the first words of commands. */
export async function openGuardedHome(
	userHome: string,
	stateDir: string,
	denied: readonly (readonly string[])[],
): Promise<GuardedHome> {
	// Such a login is found by the path of the home: the agent would have none. The guard and the sandbox stand without the rules.
	if (await keepsLoginElsewhere(userHome)) return USERS_OWN;
	const home = join(stateDir, 'codex-home');
	const remove = () => rm(home, { recursive: true, force: true });
	await remove();
	for (const folder of [home, join(home, RULES)]) {
		const made = ensurePrivateDirectory(folder);
		if (!made.ok) throw made.error;
	}
	// Conversations stay where the user's own `codex resume` looks for them.
	await mkdir(join(userHome, 'sessions'), { recursive: true });
	const there = (await namesIn(userHome)).filter((name) => name !== RULES);
	await linkAll([...new Set([...there, ...MADE_LATER])], userHome, home);
	// Codex passes over rules that are links.
	const rules = (await namesIn(join(userHome, RULES))).filter((name) => name !== OURS);
	await Promise.all(
		rules.map((name) => cp(join(userHome, RULES, name), join(home, RULES, name), { dereference: true, recursive: true })),
	);
	deployFile(join(home, RULES), toRules(denied), OURS);
	return { env: { CODEX_HOME: home }, files: [home], remove };
}

async function linkAll(names: readonly string[], from: string, to: string): Promise<void> {
	await Promise.all(names.map((name) => symlink(join(from, name), join(to, name))));
}

async function namesIn(folder: string): Promise<string[]> {
	return await readdir(folder).catch((error: unknown) => {
		if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
		throw error;
	});
}

async function keepsLoginElsewhere(home: string): Promise<boolean> {
	const config = await readFile(join(home, 'config.toml'), 'utf8').catch((error: unknown) => {
		if (hasCode(error, 'ENOENT', 'ENOTDIR')) return '';
		throw error;
	});
	return /^\s*["']?cli_auth_credentials_store["']?\s*=\s*["'](?:keyring|auto)["']/m.test(config);
}

function toRules(denied: readonly (readonly string[])[]): string {
	const why = "Roost's guard refused this command.";
	const lines = denied.map(
		(words) => `prefix_rule(pattern=${JSON.stringify(words)}, decision="forbidden", justification=${JSON.stringify(why)})`,
	);
	return `${lines.join('\n')}\n`;
}
