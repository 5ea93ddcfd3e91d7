// An enforced claude loads no settings files: Roost hands over the user's own settings, the texts and the MCP servers, as to a driven one.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { onlySet } from '@roost/core/runtime/child-environment';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Launch, LaunchRunner } from '../kind/observed-kind.ts';
import { readJson } from '../repository/json-file.ts';
import { deploySurroundings } from './deploy-surroundings.ts';
import { joinSettings, type KeptSettings, keepForEnforce } from './enforced-launch.ts';
import type { ClaudeArgs } from './launch.ts';
import { parseSettings, type Settings } from './launch-settings.ts';
import { createReadSurroundings } from './sdk/read-surroundings.ts';
import { claudePlaces } from './sdk/user-servers.ts';

export type IsolatedLaunch = { settings: Settings; argv: readonly string[]; says: readonly string[] };

/** Another hook could change a call after it was approved, and a repository's settings start programs that nobody approved. */
const NO_SETTING_FILES = '--setting-sources=';

export async function isolateLaunch(
	{ read, given, isTrusted }: { read: ClaudeArgs; given: Settings; isTrusted: LaunchRunner['isTrusted'] },
	{ env, cwd, dir }: Pick<Launch, 'env' | 'cwd' | 'dir'>,
): Promise<Result<IsolatedLaunch>> {
	const overlay = await readInstructions(read.instructionFile, cwd);
	if (!overlay.ok) return overlay;
	const homeDir = env.HOME || homedir();
	const own = await readOwnSettings(claudePlaces(env, homeDir).configDir);
	const typed = keepForEnforce(given, '--settings');
	const surroundings = await createReadSurroundings({ homeDir, env: onlySet(env), isTrusted })(cwd);
	const stateDir = join(dir, 'surroundings');
	const deployed = await deploySurroundings({ worktreePath: cwd, stateDir }, overlay.value, async () => surroundings);
	return ok({
		settings: { ...joinSettings(own.settings, typed.settings), disableSkillShellExecution: true },
		argv: [NO_SETTING_FILES, ...deployed.argv],
		says: [...own.leftOut, ...typed.leftOut, ...surroundings.leftOut],
	});
}

/** Claude takes one such file: the user's own goes in with what Roost hands over. */
async function readInstructions(given: string | null, cwd: string): Promise<Result<{ content: string } | undefined>> {
	if (given === null) return ok(undefined);
	try {
		return ok({ content: await readFile(resolve(cwd, given), 'utf8') });
	} catch (cause) {
		return err(new AppError('usage', `--append-system-prompt-file names "${given}", which cannot be read.`, { cause }));
	}
}

const MOST_BYTES = 1024 * 1024;
const OWN_FOLDERS = ['agents', 'commands', 'output-styles', 'skills'];

async function readOwnSettings(configDir: string): Promise<KeptSettings> {
	const path = join(configDir, 'settings.json');
	const folders = OWN_FOLDERS.filter((name) => existsSync(join(configDir, name)));
	const unused = folders.length === 0 ? [] : [`Your own ${folders.join(', ')} in ${configDir} have no effect with --enforce.`];
	const read = await readJson(path, { mostBytes: MOST_BYTES });
	if (read.kind === 'absent') return { settings: {}, leftOut: unused };
	const parsed = read.kind === 'json' ? parseSettings(read.value) : undefined;
	if (!parsed) return { settings: {}, leftOut: [`${path} has no effect because it is not a map of settings.`, ...unused] };
	const kept = keepForEnforce(parsed, 'your settings');
	return { ...kept, leftOut: [...kept.leftOut, ...unused] };
}
