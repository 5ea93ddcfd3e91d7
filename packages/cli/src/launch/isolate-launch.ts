// An enforced claude loads no settings files: Roost hands over the user's own settings, the texts and the MCP servers, as to a driven one.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { deploySurroundings } from '@roost/agents/claude/deploy-surroundings';
import { joinSettings, type KeptSettings, keepForEnforce } from '@roost/agents/claude/enforced-launch';
import type { ClaudeArgs } from '@roost/agents/claude/launch';
import { readJson } from '@roost/agents/claude/sdk/json-file';
import { createReadSurroundings } from '@roost/agents/claude/sdk/read-surroundings';
import { claudePlaces } from '@roost/agents/claude/sdk/user-servers';
import { onlySet } from '@roost/core/runtime/child-environment';
import { resolveHome } from '@roost/home/home';
import { createMcpTrust } from '@roost/home/mcp-trust';
import { newShortId } from '@roost/home/short-id';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { LaunchOptions } from './launch-agent.ts';
import { parseSettings, type Settings } from './launch-settings.ts';

export type IsolatedLaunch = { settings: Settings; argv: readonly string[]; remove(): Promise<void> };

/** Another hook could change a call after it was approved, and a repository's settings start programs that nobody approved. */
const NO_SETTING_FILES = '--setting-sources=';

export async function isolateLaunch(
	{ read, given, runDir }: { read: ClaudeArgs; given: Settings; runDir: string },
	{ env, cwd, say }: Pick<LaunchOptions, 'env' | 'cwd' | 'say'>,
): Promise<Result<IsolatedLaunch>> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const overlay = await readInstructions(read.instructionFile, cwd);
	if (!overlay.ok) return overlay;
	const homeDir = env.HOME || homedir();
	const own = await readOwnSettings(claudePlaces(env, homeDir).configDir);
	const typed = keepForEnforce(given, '--settings');
	const { isTrusted } = createMcpTrust(home.value);
	const surroundings = await createReadSurroundings({ homeDir, env: onlySet(env), isTrusted })(cwd);
	const stateDir = join(runDir, `claude-${newShortId()}`);
	const deployed = await deploySurroundings({ worktreePath: cwd, stateDir }, overlay.value, async () => surroundings);
	for (const sentence of [...own.leftOut, ...typed.leftOut, ...surroundings.leftOut]) say(sentence);
	return ok({
		settings: { ...joinSettings(own.settings, typed.settings), disableSkillShellExecution: true },
		argv: [NO_SETTING_FILES, ...deployed.argv],
		remove: () => rm(stateDir, { recursive: true, force: true }),
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
