// Enforced launches of codex: the repository and other hooks decide nothing, and nothing runs without asking.
import { lstat, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { onlySet } from '@roost/core/runtime/child-environment';
import { readText } from '@roost/machine/foreign-file';
import { startLineProcess } from '@roost/machine/line-process';
import { realTimers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { optionValues } from '../base/argv.ts';
import type { Launch } from '../kind/observed-kind.ts';
import { findRepository, foldersBetween } from '../repository/find-repository.ts';
import { SETTINGS_BYTES } from '../repository/json-file.ts';
import { toConfigArgs, tomlString, untrust } from './config-args.ts';
import { decidingHooks, hooksListed } from './live/protocol.ts';
import { createRpcPeer } from './live/rpc-peer.ts';
import { codexHome } from './rollout-files.ts';

export type Enforced = {
	/** They override the files of the user and the repository. */
	settings: readonly string[];
	/** Keys of other hooks. */
	switchedOff: readonly string[];
	says: readonly string[];
};

const TTY = 'unified_exec_tty';

/** `options`: arguments before operands. */
export async function toEnforced(
	{ options, command, folder = '' }: { options: readonly string[]; command: string; folder?: string | undefined },
	launch: Pick<Launch, 'command' | 'env' | 'cwd'>,
): Promise<Result<Enforced>> {
	const cwd = await realpath(resolve(launch.cwd, folder)).catch(() => undefined);
	if (cwd === undefined) return err(new AppError('usage', `The folder "${folder || launch.cwd}" of codex does not exist.`));
	const problem = findProblem(options) ?? (await findProfileHooks(options, launch.env));
	if (problem !== null) return err(new AppError('usage', `${problem}: leave it out, or leave out --enforce.`));
	const untrusted = await findConfigured(cwd, options.includes('--worktree'));
	const settings = toConfigArgs({
		// Input to a running command passes no hook.
		[`features.${TTY}`]: 'false',
		// A search runs at the provider, outside of the gate.
		web_search: tomlString('disabled'),
		...(untrusted.length > 0 ? { projects: untrust(untrusted) } : {}),
	});
	const given = toSettings(options);
	const others = await findOtherHooks({ ...launch, cwd, settings: [...given, ...settings] });
	if (!others.ok) return others;
	if (others.value.fixed > 0) return err(new AppError('usage', MANAGED));
	// A resumed session would return to the folder that it began in.
	const here = (command === 'resume' || command === 'fork') && folder === '' ? ['-C', cwd] : [];
	const { keys } = others.value;
	return ok({ settings: [...settings, ...here], switchedOff: keys, says: keys.length > 0 ? [offSentence(keys.length)] : [] });
}

/** All folders that could be trusted, if one of them configures codex; codex asks before it opens an untrusted one. */
async function findConfigured(cwd: string, isUnknown: boolean): Promise<string[]> {
	const { root, project } = await findRepository(cwd);
	const folders = [...new Set([project, ...foldersBetween(root, cwd)])];
	const found = await Promise.all(folders.map((folder) => mayExist(join(folder, '.codex'))));
	return isUnknown || found.includes(true) ? folders : [];
}

/** A path that cannot be examined counts as existing. */
function mayExist(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(cause: NodeJS.ErrnoException) => cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR',
	);
}

const MANAGED =
	'A hook of your organisation could change a call of codex after Roost has approved it, so nothing could be enforced: leave out --enforce.';

function offSentence(count: number): string {
	return `${count} other ${count === 1 ? 'hook' : 'hooks'} for tool calls of codex will not run: a hook could change a call after Roost has approved it.`;
}

function findProblem(options: readonly string[]): string | null {
	if (options.includes('--search')) return 'With --search codex searches the web without asking';
	if (optionValues(options, ['--enable']).includes(TTY)) return `With --enable ${TTY} codex types into commands without asking`;
	return null;
}

/** Codex does not list the hooks of a profile. */
async function findProfileHooks(options: readonly string[], env: Launch['env']): Promise<string | null> {
	for (const name of optionValues(options, ['-p', '--profile'])) {
		const read = await readText(join(codexHome(env), `${name}.config.toml`), { mostBytes: SETTINGS_BYTES });
		if (read.kind === 'refused' || (read.kind === 'text' && (read.cut || read.text.includes('hooks'))))
			return 'The profile of codex may bring hooks that change a call after Roost has approved it';
	}
	return null;
}

const SETTING_OPTIONS: readonly (readonly string[])[] = [['-c', '--config'], ['--enable'], ['--disable']];

/** The user's settings from the command line. */
function toSettings(options: readonly string[]): string[] {
	return SETTING_OPTIONS.flatMap((names) => optionValues(options, names).flatMap((value) => [...names.slice(0, 1), value]));
}

type OtherHooks = {
	keys: readonly string[];
	/** Managed by an organisation, cannot be disabled. */
	fixed: number;
};

const LIMIT_MS = 20_000;

/** Other hooks could change an approved call. Codex itself lists them, with the settings of the launch but without Roost's hooks. */
async function findOtherHooks(launch: {
	command: readonly [string, ...string[]];
	settings: readonly string[];
	cwd: string;
	env: Readonly<Record<string, string | undefined>>;
}): Promise<Result<OtherHooks>> {
	const [program, ...first] = launch.command;
	const peer = createRpcPeer({
		write: (line) => codex.write(line),
		timers: realTimers,
		onNotice: () => {},
		onRequest: (_id, _method, _params, answer) => answer({ error: { code: -32601, message: 'not supported' } }),
	});
	const codex = startLineProcess({
		argv: [program, ...first, 'app-server', ...launch.settings],
		cwd: launch.cwd,
		env: onlySet(launch.env),
		timers: realTimers,
		onLine: (line) => void peer.take(line),
		onOversize: () => {},
		onEnd: () => peer.close(),
	});
	try {
		const clientInfo = { name: 'roost', title: 'Roost', version: '0' };
		const greeted = await peer.request('initialize', { clientInfo, capabilities: { experimentalApi: true } }, LIMIT_MS);
		if (!greeted.ok) return unknown(greeted.error);
		peer.notify('initialized');
		const listed = await peer.request('hooks/list', { cwds: [launch.cwd] }, LIMIT_MS);
		if (!listed.ok) return unknown(listed.error);
		const parsed = hooksListed.safeParse(listed.value);
		if (!parsed.success) return unknown(parsed.error);
		const others = decidingHooks(parsed.data.data.flatMap(({ hooks }) => hooks));
		const fixed = others.filter(({ isManaged }) => isManaged).length;
		return ok({ keys: others.filter(({ isManaged }) => !isManaged).map(({ key }) => key), fixed });
	} finally {
		codex.end(0);
	}
}

function unknown(cause: unknown): Result<never> {
	const message = 'Codex did not list its hooks, so nothing could be enforced: check that codex starts, or leave out --enforce.';
	return err(new AppError('cannot_start', message, { cause }));
}
