// Parses the output of `claude plugin …`: JSON, else text of older versions. Unknown parts are kept as text.
import { parseJson } from '@roost/core/display/parse-json';
import type { AvailablePlugin, Marketplace, MarketplaceList, Plugin, PluginList } from '@roost/protocol/api/plugins';
import { z } from 'zod';

export function parsePluginList(stdout: string): PluginList {
	const json = parseJson(stdout);
	if (json === undefined) return { ...parsePluginText(stdout), available: [] };
	const both = listWithAvailable.safeParse(json);
	const installed = readEach(both.success ? both.data.installed : json, toPlugin);
	const available = readEach(both.success ? both.data.available : [], toAvailable);
	return { plugins: installed.read, available: available.read, unread: joinLines([installed.unread, available.unread]) };
}

const listWithAvailable = z.object({ installed: z.array(z.unknown()), available: z.array(z.unknown()) });

export function parseMarketplaceList(stdout: string): MarketplaceList {
	const json = parseJson(stdout);
	if (json === undefined) return { marketplaces: [], unread: stdout.trim() };
	const { read, unread } = readEach(json, toMarketplace);
	return { marketplaces: read, unread };
}

const installedPlugin = z.looseObject({
	id: z.string(),
	version: z.string().optional(),
	scope: z.string().optional(),
	enabled: z.boolean(),
});

function toPlugin(entry: unknown): Plugin | undefined {
	const parsed = installedPlugin.safeParse(entry);
	if (!parsed.success) return undefined;
	const { id, version, scope, enabled, ...more } = parsed.data;
	return { id, version, scope, enabled, more };
}

const offeredPlugin = z.object({ pluginId: z.string(), description: z.string().optional() });

function toAvailable(entry: unknown): AvailablePlugin | undefined {
	const parsed = offeredPlugin.safeParse(entry);
	return parsed.success ? { id: parsed.data.pluginId, description: parsed.data.description } : undefined;
}

const knownMarketplace = z.object({
	name: z.string(),
	source: z.string(),
	path: z.string().optional(),
	repo: z.string().optional(),
	url: z.string().optional(),
});

function toMarketplace(entry: unknown): Marketplace | undefined {
	const parsed = knownMarketplace.safeParse(entry);
	if (!parsed.success) return undefined;
	const { name, source, repo, url, path } = parsed.data;
	return { name, source, place: repo ?? url ?? path };
}

function readEach<T>(json: unknown, read: (entry: unknown) => T | undefined): { read: T[]; unread: string } {
	if (!Array.isArray(json)) return { read: [], unread: JSON.stringify(json) };
	const entries = json.map((entry) => ({ entry, value: read(entry) }));
	return {
		read: entries.flatMap(({ value }) => (value === undefined ? [] : [value])),
		unread: joinLines(entries.map(({ entry, value }) => (value === undefined ? JSON.stringify(entry) : ''))),
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
