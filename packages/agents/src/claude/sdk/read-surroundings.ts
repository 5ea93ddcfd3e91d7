// Reads instructions and MCP servers for a driven Claude, and describes the repository's settings, which have no effect.
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { McpServerConfig } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';
import { findRepository, foldersBetween, isWithin, type Repository } from '../../repository/find-repository.ts';
import { entriesOf, readJson, shownName, shownNames, valueAt } from '../../repository/json-file.ts';
import { expandServer, type NamedServer, parseMcpServers, readServersOf, type ServersRead } from '../../repository/mcp-config.ts';
import { readInstructions } from './claude-instructions.ts';

type SurroundingsDeps = {
	homeDir: string;
	/** Locates Claude's configuration, and fills variables in server definitions. */
	env: Readonly<Record<string, string>>;
	/** Whether the user trusts this configuration of a project's server. */
	isTrusted(project: string, name: string, hash: string): boolean;
};

export function createReadSurroundings(deps: SurroundingsDeps): ReadSurroundings {
	return async (given) => {
		try {
			return await read(deps, await realpath(given));
		} catch (error) {
			const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
			const sentence = `Instructions and MCP servers are left out because ${shownName(given, 160)} cannot be read (${why}).`;
			return { instructions: '', mcpServers: {}, leftOut: [sentence] };
		}
	};
}

async function read({ homeDir, env, isTrusted }: SurroundingsDeps, cwd: string): Promise<Surroundings> {
	const { configDir, configFile } = claudePlaces(env, homeDir);
	const repository = await findRepository(cwd);
	const instructions = await readInstructions({ cwd, repository, configDir, homeDir });
	const own = await readUserServers(configFile, repository);
	const brought = await readServersOf(repository, cwd);
	const trusted = brought.servers.filter(({ name, hash }) => isTrusted(repository.project, name, hash));
	const chosen = chooseServers([own.everywhere.servers, trusted, own.here.servers], own.disabled, env);
	return {
		instructions: instructions.text,
		mcpServers: chosen.servers,
		leftOut: bounded([
			...(await describeRepositorySettings(repository, cwd)),
			...brought.servers.filter((server) => !trusted.includes(server)).map(notTrusted),
			...brought.broken,
			...(own.problem === undefined ? [] : [own.problem]),
			...own.everywhere.broken,
			...own.here.broken,
			...chosen.lines,
			...instructions.leftOut,
		]),
	};
}

/** The last of one name counts, as for Claude: user-wide, then the project's, then the user's for this project. */
function chooseServers(
	lists: readonly (readonly NamedServer[])[],
	disabled: readonly string[],
	env: Readonly<Record<string, string>>,
) {
	const byName = new Map(lists.flat().map((server) => [server.name, server] as const));
	const kept = [...byName.values()].filter(({ name }) => !disabled.includes(name));
	const expanded = kept.map(({ name, config }) => ({ name, ...expandServer(config, env) }));
	return {
		servers: Object.fromEntries(expanded.map(({ name, config }) => [name, config])),
		lines: expanded
			.filter(({ unset }) => unset.length > 0)
			.map(
				({ name, unset }) => `The MCP server "${name}" needs ${shownNames(unset)}, which the agent's environment does not have.`,
			),
	};
}

function notTrusted({ name }: NamedServer): string {
	return `The project's MCP server "${name}" is not started because you have not trusted it: "roost mcp trust ${name}" shows what it runs.`;
}

const MOST_SENTENCES = 60;

function bounded(sentences: readonly string[]): string[] {
	if (sentences.length <= MOST_SENTENCES) return [...sentences];
	return [...sentences.slice(0, MOST_SENTENCES), `There are ${sentences.length - MOST_SENTENCES} more that are not listed.`];
}

export type Surroundings = {
	/** In Claude's order, each with its path. */
	instructions: string;
	/** The user's own servers, and trusted ones of the project. */
	mcpServers: Record<string, McpServerConfig>;
	/** One sentence for each repository setting that is ignored. */
	leftOut: readonly string[];
};

/** Never fails: what cannot be read is listed in `leftOut`. */
export type ReadSurroundings = (cwd: string) => Promise<Surroundings>;

/** Claude's main file is beside its folder unless that was moved. */
type ClaudePlaces = { configDir: string; configFile: string };

export function claudePlaces(env: Readonly<Record<string, string | undefined>>, homeDir: string): ClaudePlaces {
	const chosen = env.CLAUDE_CONFIG_DIR;
	return chosen
		? { configDir: chosen, configFile: join(chosen, '.claude.json') }
		: { configDir: join(homeDir, '.claude'), configFile: join(homeDir, '.claude.json') };
}

type UserServers = {
	everywhere: ServersRead;
	here: ServersRead;
	disabled: readonly string[];
	problem?: string;
};

/** Large: it contains notes on every project. */
const MOST_BYTES = 32 * 1024 * 1024;
const NONE: ServersRead = { servers: [], broken: [] };
const WHERE = "the user's configuration of Claude";

async function readUserServers(configFile: string, { root, project }: Repository): Promise<UserServers> {
	const read = await readJson(configFile, { mostBytes: MOST_BYTES });
	if (read.kind === 'absent') return { everywhere: NONE, here: NONE, disabled: [] };
	if (read.kind === 'refused') {
		const problem = `The user's own MCP servers are left out: ${configFile} cannot be used because ${read.why}.`;
		return { everywhere: NONE, here: NONE, disabled: [], problem };
	}
	const notes = [project, root].map((folder) => valueAt(read.value, 'projects', folder));
	const own = notes.find((note) => note !== undefined);
	return {
		everywhere: parseMcpServers(valueAt(read.value, 'mcpServers'), WHERE),
		here: parseMcpServers(valueAt(own, 'mcpServers'), WHERE),
		disabled: z.array(z.string()).catch([]).parse(valueAt(own, 'disabledMcpServers')),
	};
}

const FILES = ['settings.json', 'settings.local.json'];
export async function describeRepositorySettings({ root }: Repository, cwd: string): Promise<string[]> {
	const sentences: string[] = [];
	for (const folder of foldersBetween(root, cwd)) {
		for (const file of FILES) {
			const path = join(folder, '.claude', file);
			const where = shownName(relative(root, path), 160);
			const read = await readJson(path, {
				refuse: ({ realPath }) => (isWithin(realPath, root) ? undefined : 'it is a link that leads out of the repository'),
			});
			if (read.kind === 'refused') sentences.push(`${where} has no effect, and ${read.why}.`);
			if (read.kind === 'json') sentences.push(...describe(read.value, where));
		}
	}
	return sentences;
}

function describe(settings: unknown, where: string): string[] {
	const entries = entriesOf(settings);
	if (!entries) return [`${where} has no effect, and it is not a map of settings.`];
	const known = KNOWN.flatMap(([key, words]) => {
		const value = valueAt(settings, key);
		const text = value === undefined ? undefined : words(value);
		return text === undefined ? [] : [`${where} ${text}.`];
	});
	const others = entries.map(([key]) => key).filter((key) => key !== '$schema' && !KNOWN.some(([each]) => each === key));
	return others.length === 0 ? known : [...known, `${where} also sets ${shownNames(others)}: without effect.`];
}

type Words = (value: unknown) => string | undefined;

/** Values are never shown: they may be secrets. */
const KNOWN: readonly (readonly [key: string, words: Words])[] = [
	['permissions', describePermissions],
	['hooks', (hooks) => named(hooks, (events) => `has hooks for ${events}: none of them runs`)],
	['env', (env) => named(env, (names) => `sets the environment variables ${names}: the agent does not get them`)],
	['apiKeyHelper', () => 'names a program that hands out API keys: it does not run'],
	['awsAuthRefresh', () => 'names a program that logs in to AWS: it does not run'],
	['awsCredentialExport', () => 'names a program that hands out AWS credentials: it does not run'],
	['otelHeadersHelper', () => 'names a program that makes telemetry headers: it does not run'],
	['statusLine', () => 'names a program for the status line: it does not run'],
	['enableAllProjectMcpServers', () => 'wants every MCP server of the project started: only those the user trusts are'],
	['enabledMcpjsonServers', () => 'wants MCP servers of the project started: only those the user trusts are'],
	['enabledPlugins', (plugins) => named(plugins, (names) => `switches plugins on or off (${names}): it does not`)],
	['extraKnownMarketplaces', () => 'names places to get plugins from: they are not used'],
	['model', () => 'chooses a model: the user chooses it'],
	['sandbox', () => 'changes the sandbox: it stays as it is'],
];

function describePermissions(permissions: unknown): string | undefined {
	const count = (key: string) => {
		const rules = valueAt(permissions, key);
		return Array.isArray(rules) ? rules.length : 0;
	};
	const counts = [
		{ rules: count('allow'), verb: 'allow' },
		{ rules: count('deny'), verb: 'deny' },
		{ rules: count('ask'), verb: 'ask' },
	].filter(({ rules }) => rules > 0);
	const others = (entriesOf(permissions) ?? []).map(([key]) => key).filter((key) => !['allow', 'deny', 'ask'].includes(key));
	const parts = [
		...counts.map(({ rules, verb }) => `${rules} ${rules === 1 ? 'rule' : 'rules'} to ${verb}`),
		...(others.length > 0 ? [shownNames(others)] : []),
	];
	return parts.length === 0 ? undefined : `has permissions (${parts.join(', ')}): they have no effect, Roost's rules decide`;
}

function named(value: unknown, words: (names: string) => string): string | undefined {
	const names = (entriesOf(value) ?? []).map(([name]) => name);
	return names.length === 0 ? undefined : words(shownNames(names));
}
