// How to start the user's own copilot so that it reports to Roost: its arguments, and a plugin of this launch with its hooks.
import { readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { beforeOperands, optionValues } from '../base/argv.ts';
import { toHookSeconds, toProgramMs } from '../base/ask-timeouts.ts';
import type { Forwarder, Launch, Launchable, LaunchRead } from '../kind/observed-kind.ts';
import { shownNames } from '../repository/json-file.ts';
import { type PluginHook, writeHookPlugin } from './copilot-agent.ts';
import { COPILOT_HOOKS } from './observed-hooks.ts';
import {
	agentsWithServers,
	copilotHome,
	findHookSwitch,
	isTrustedFolder,
	refuseRepositoryHooks,
	repositoryServers,
} from './repository.ts';

type CopilotArgs = LaunchRead & {
	/** The session runs elsewhere, without the hooks of this launch. */
	skipsHooks: boolean;
};

const COMMANDS = new Set(
	'app login help config update version sessions memories plugin mcp skill instruction lsp sandbox completion'.split(' '),
);
/** Their agents run without the hooks of this launch. */
const AGENT_COMMANDS = new Set(['workflow', 'init']);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v']);
const HEADLESS = /^(?:-p|--prompt)(?:=|$)|^--acp$/;
const ELSEWHERE = /^--(?:connect|environment-host|ahp-host|acp|server|headless)(?:=|$)/;

function readCopilotArgs(given: readonly string[]): CopilotArgs {
	const options = beforeOperands(given);
	return {
		headless: options.some((arg) => HEADLESS.test(arg)),
		skipsHooks: AGENT_COMMANDS.has(given[0] ?? '') || options.some((arg) => ELSEWHERE.test(arg)),
		folder: optionValues(options, ['-C']).at(-1),
		managementOnly: COMMANDS.has(given[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** Seconds; Copilot continues after that. */
const TIMEOUT_S = 10;

/** Copilot denies a call whose hook cannot be run. */
function toCopilotHooks({ node, script, askMs }: Forwarder): Record<string, PluginHook> {
	const entries = COPILOT_HOOKS.map(({ native, hookName }): [string, PluginHook] => {
		const program = [node, script, hookName, '--plain'] as const;
		if (hookName !== 'PreToolUse') return [native, { program, timeoutSec: TIMEOUT_S }];
		const waiting = [...program, '--wait-ms', String(toProgramMs(askMs))] as const;
		return [native, { program: waiting, timeoutSec: toHookSeconds(askMs) }];
	});
	return Object.fromEntries(entries);
}

export const COPILOT_LAUNCH = {
	read: async ({ args }) => ok(readCopilotArgs(args)),
	async prepare(launch) {
		const { args, gate, dir, forwarder } = launch;
		const read = readCopilotArgs(args);
		const options = beforeOperands(args);
		const problem = read.skipsHooks ? ELSEWHERE_REASON : await findHookSwitch(resolve(launch.cwd, read.folder ?? ''));
		if (problem !== null && gate === 'enforce') return err(new AppError('usage', toRefusal(problem)));
		const enforced = gate === 'enforce' ? await toEnforced({ ...read, options }, launch) : ok([]);
		if (!enforced.ok) return enforced;
		const plugin = writeHookPlugin(dir, toCopilotHooks(forwarder));
		if (!plugin.ok) return plugin;
		const text = problem === null ? ADDED : `${problem}: this session may not be on record.`;
		// Hooks run in the order of plugins: the last one sees the final call.
		const argv = [...options, ...enforced.value, ...plugin.value.argv, ...args.slice(options.length)];
		return ok({ argv: read.skipsHooks ? [...args] : argv, says: [text] });
	},
} satisfies Launchable;

const ADDED = "added --plugin-dir with Roost's hooks for this launch of copilot.";
const ELSEWHERE_REASON = 'with these arguments the session of copilot runs where no hook of this launch is';

function toRefusal(problem: string): string {
	return `${problem}, so nothing could be enforced: change that, or leave out --enforce.`;
}

/** Arguments after the user's. No program and no hook may run behind Roost's. */
async function toEnforced(
	{ options, headless, folder = '' }: { options: readonly string[]; headless: boolean; folder?: string | undefined },
	{ cwd: given, env }: Pick<Launch, 'cwd' | 'env'>,
): Promise<Result<string[]>> {
	const cwd = await realpath(resolve(given, folder)).catch(() => undefined);
	if (cwd === undefined) return refuse(`The folder "${folder || given}" of copilot does not exist`);
	const problem = findProblem(options) ?? (await findExtensions(env)) ?? (await findAddedAgents(options, cwd));
	if (problem !== null) return refuse(problem);
	// In a terminal the user may still trust the folder.
	const trusted =
		!headless || options.includes('--trust-folder') || env.COPILOT_ALLOW_ALL !== undefined || (await isTrustedFolder(env, cwd));
	const refusal = await refuseRepositoryHooks(cwd, { trusted });
	if (refusal !== null) return err(new AppError('usage', refusal));
	const servers = await repositoryServers(cwd);
	if (!servers.ok) return servers;
	// The last folder counts, also for a session that began elsewhere.
	return ok([...servers.value.map((name) => `--disable-mcp-server=${name}`), '-C', cwd]);
}

function refuse(problem: string): Result<never> {
	return err(new AppError('usage', `${problem}, so nothing could be enforced: change that, or leave out --enforce.`));
}

function findProblem(options: readonly string[]): string | null {
	const names = /^--(?:worktree|enable-mcp-server|extension-sdk-path)(?:=|$)/;
	const found = options.find((option) => names.test(option));
	return found === undefined ? null : `${found.split('=')[0]} lets copilot run what Roost has not looked at`;
}

/** Hooks of extensions run after those of plugins, and may change a call. */
async function findExtensions(env: Launch['env']): Promise<string | null> {
	const names = await readdir(join(copilotHome(env), 'extensions')).catch(() => []);
	return names.length === 0
		? null
		: `extensions of copilot (${shownNames(names)}) could change a call after Roost has approved it`;
}

async function findAddedAgents(options: readonly string[], cwd: string): Promise<string | null> {
	for (const folder of optionValues(options, ['--add-dir'])) {
		const found = await agentsWithServers(resolve(cwd, folder));
		if (found.length > 0) return `agents in a folder of --add-dir (${shownNames(found)}) start programs without asking`;
	}
	return null;
}
