// Parses the output of `claude plugin …`: JSON, else text of older versions. Unknown parts are kept as text.
import { parseJson } from '@roost/core/display/parse-json';
import type { AvailablePlugin, Marketplace, MarketplaceList, Plugin, PluginList } from '@roost/protocol/api/plugins';
import { z } from 'zod';

export function parsePluginList(stdout: string): PluginList {
	const json = parseJson(stdout);
	if (json === undefined) return { ...parsePluginText(stdout), available: [] };
	const both = listWithAvailable.safeParse(json);
	const installed = readEach(both.success ? both.data.installed : json, installedPlugin);
	const available = readEach(both.success ? both.data.available : [], offeredPlugin);
	return { plugins: installed.read, available: available.read, unread: joinLines([installed.unread, available.unread]) };
}

const listWithAvailable = z.object({ installed: z.array(z.unknown()), available: z.array(z.unknown()) });

export function parseMarketplaceList(stdout: string): MarketplaceList {
	const json = parseJson(stdout);
	if (json === undefined) return { marketplaces: [], unread: stdout.trim() };
	const { read, unread } = readEach(json, knownMarketplace);
	return { marketplaces: read, unread };
}

const installedPlugin = z
	.looseObject({ id: z.string(), version: z.string().optional(), scope: z.string().optional(), enabled: z.boolean() })
	.transform(({ id, version, scope, enabled, ...more }): Plugin => ({ id, version, scope, enabled, more }));

const offeredPlugin = z
	.object({ pluginId: z.string(), description: z.string().optional() })
	.transform(({ pluginId: id, description }): AvailablePlugin => ({ id, description }));

const text = z.string().optional();
const knownMarketplace = z
	.object({ name: z.string(), source: z.string(), path: text, repo: text, url: text })
	.transform(({ name, source, repo, url, path }): Marketplace => ({ name, source, place: repo ?? url ?? path }));

function readEach<T>(json: unknown, schema: z.ZodType<T>): { read: T[]; unread: string } {
	if (!Array.isArray(json)) return { read: [], unread: JSON.stringify(json) };
	const entries = json.map((entry) => ({ entry, parsed: schema.safeParse(entry) }));
	return {
		read: entries.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
		unread: joinLines(entries.map(({ entry, parsed }) => (parsed.success ? '' : JSON.stringify(entry)))),
	};
}

/** `❯ name@marketplace`, followed by indented fields. */
function parsePluginText(stdout: string): Pick<PluginList, 'plugins' | 'unread'> {
	const plugins: Plugin[] = [];
	const unread: string[] = [];
	for (const line of stdout.split('\n')) {
		const heading = /^\s*❯ (\S+)$/.exec(line);
		const field = /^\s+([A-Z][A-Za-z ]*): (.*)$/.exec(line);
		const last = plugins.at(-1);
		if (heading?.[1]) plugins.push({ id: heading[1], enabled: false, more: {} });
		else if (field?.[1] && last) plugins[plugins.length - 1] = withField(last, field[1], field[2] ?? '');
		else if (line.trim() !== '' && !EXPECTED.test(line)) unread.push(line.trim());
	}
	return { plugins, unread: joinLines(unread) };
}

const EXPECTED = /^(Installed plugins:|No plugins installed\.)/;

function withField(plugin: Plugin, name: string, value: string): Plugin {
	if (name === 'Version') return { ...plugin, version: value };
	if (name === 'Scope') return { ...plugin, scope: value };
	const more = { ...plugin.more, [name]: value };
	return name === 'Status' ? { ...plugin, enabled: /^\S+ enabled$/.test(value), more } : { ...plugin, more };
}

function joinLines(lines: readonly string[]): string {
	return lines.filter((line) => line !== '').join('\n');
}
