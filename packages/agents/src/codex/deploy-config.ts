// Deploys a guard and instructions for Codex by its command line, and rules in a home of its own. The worktree and the user's home stay unchanged.
import { cp, mkdir, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { quoteArgv } from '../base/argv.ts';
import { deployFile, removeAll, toIdentityEnv } from '../base/deploy-file.ts';
import type { Deployed, HooksDef, OverlayContent } from '../base/types.ts';
import { deployGuard } from '../guards/deploy-guard.ts';
import { rightsOf, staticDenials } from '../guards/table.ts';
import { findLinkedWorktree } from '../repository/find-repository.ts';
import { toConfigArgs, toHookArgs, tomlList, tomlString, untrust } from './config-args.ts';
import { readRepositoryInstructions } from './repository-instructions.ts';
import { codexHome } from './rollout-files.ts';

/** Seconds; the guard answers earlier. */
const TIMEOUT_S = 30;

/** Throws an `AppError` where the guard cannot be deployed. */
export async function deployCodexConfig(def: HooksDef, overlay: OverlayContent | undefined): Promise<Deployed> {
	const guard = deployGuard(def, 'codex');
	const repository = await readRepositoryInstructions(def.worktreePath);
	const instructions = [repository.text, overlay?.content ?? ''].filter((text) => text !== '').join('\n\n');
	const home = await openGuardedHome(codexHome(def.env ?? process.env), def.stateDir, staticDenials(def.capability));
	const sandbox = await sandboxOf(def);
	return {
		argv: [
			...toHookArgs([{ event: 'PreToolUse', command: quoteArgv(guard.argv), timeoutS: TIMEOUT_S }]),
			...toConfigArgs({
				...sandbox.settings,
				// Input to a running command passes no hook.
				'features.unified_exec_tty': 'false',
				projects: untrust(repository.trustRoots),
				...(instructions === '' ? {} : { developer_instructions: tomlString(instructions) }),
			}),
		],
		env: { ...home.env, ...sandbox.env, ...toIdentityEnv(def) },
		files: [guard.definitionPath, ...home.files, ...sandbox.folders],
		async remove() {
			await home.remove();
			await removeAll([guard.definitionPath, ...sandbox.folders]);
		},
	};
}

type Sandbox = { settings: Record<string, string>; env: Record<string, string>; folders: readonly string[] };

/** A second barrier behind the guard: readers cannot write, and writers can only commit. */
async function sandboxOf({ capability, worktreePath, stateDir }: HooksDef): Promise<Sandbox> {
	if (!rightsOf(capability).writes) return { settings: { sandbox_mode: tomlString('read-only') }, env: {}, folders: [] };
	// A private folder instead of the shared one for temporary files.
	const temporary = ensurePrivateDirectory(join(stateDir, 'tmp'));
	if (!temporary.ok) throw temporary.error;
	return {
		settings: {
			sandbox_mode: tomlString('workspace-write'),
			'sandbox_workspace_write.writable_roots': tomlList([...(await worktreeGitRoots(worktreePath)), temporary.value]),
			'sandbox_workspace_write.exclude_slash_tmp': 'true',
			'sandbox_workspace_write.exclude_tmpdir_env_var': 'true',
		},
		env: { TMPDIR: temporary.value },
		folders: [temporary.value],
	};
}

const RULES = 'rules';
const OURS = 'roost-guard.rules';
/** Codex creates them later; they must end up in the user's home. */
const MADE_LATER = ['auth.json', 'auth.lock', 'history.jsonl'];

type GuardedHome = { env: Readonly<Record<string, string>>; files: readonly string[]; remove(): Promise<void> };

const USERS_OWN: GuardedHome = { env: {}, files: [], remove: async () => {} };

/** Codex reads rules only from its home, so a guarded agent gets a copy with more rules. `denied`: first words of commands. */
export async function openGuardedHome(
	userHome: string,
	stateDir: string,
	denied: readonly (readonly string[])[],
): Promise<GuardedHome> {
	// Such a login is bound to the path of the home. The guard and the sandbox work without the rules.
	if (await keepsLoginElsewhere(userHome)) return USERS_OWN;
	const home = join(stateDir, 'codex-home');
	const remove = () => removeAll([home]);
	await remove();
	for (const folder of [home, join(home, RULES)]) {
		const made = ensurePrivateDirectory(folder);
		if (!made.ok) throw made.error;
	}
	// Conversations stay visible to the user's own `codex resume`.
	await mkdir(join(userHome, 'sessions'), { recursive: true });
	const there = (await namesIn(userHome)).filter((name) => name !== RULES);
	await linkAll([...new Set([...there, ...MADE_LATER])], userHome, home);
	// Codex ignores linked rules.
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

const SHARED = ['objects', 'refs', 'logs'];

/** Parts of git's folder that a commit in a linked worktree writes: never hooks or settings. Empty for other folders. */
async function worktreeGitRoots(worktreePath: string): Promise<string[]> {
	const linked = await findLinkedWorktree(await realpath(worktreePath));
	return linked ? [linked.own, ...SHARED.map((name) => join(linked.shared, name))] : [];
}
