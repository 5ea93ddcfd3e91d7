// Describes a repository's Claude settings, which have no effect in a driven session, one sentence each.
import { join, relative } from 'node:path';
import { foldersBetween, isWithin, type Repository } from '../../repository/find-repository.ts';
import { entriesOf, readJson, valueAt } from '../../repository/json-file.ts';
import { shownName, shownNames } from '../../repository/shown-name.ts';

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
		const said = value === undefined ? undefined : words(value);
		return said === undefined ? [] : [`${where} ${said}.`];
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
