// Parses the output of `claude plugin …` and `claude mcp …`. Unknown parts are kept as text.
import { parseJson } from '@roost/core/display/parse-json';
import type { McpServer, McpServerDetail, McpServerList, ServerStatus } from '@roost/protocol/api/mcp';
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

export function parseServerList(stdout: string): McpServerList {
	const servers: McpServer[] = [];
	const unread: string[] = [];
	for (const line of stdout.split('\n').map((each) => each.trimEnd())) {
		const server = parseLine(line);
		if (server) servers.push(server);
		else if (line !== '' && !EXPECTED_LINE.test(line)) unread.push(line);
	}
	return { servers, unread: unread.join('\n') };
}

const EXPECTED_LINE = /^(Checking MCP server health|No MCP servers configured\.)/;
const LINE = /^(?<name>\S.*?): (?<rest>.+)$/u;
const SIGN = / - (?=[✔✘!⏸] )/gu;

function parseLine(line: string): McpServer | undefined {
	const { name, rest } = LINE.exec(line)?.groups ?? {};
	if (name === undefined || rest === undefined) return undefined;
	const cut = findHealth(rest);
	if (cut === undefined) return undefined;
	const { target, transport } = readTarget(rest.slice(0, cut.at));
	return { name, transport, target, status: toServerStatus(cut.says), says: cut.says };
}

/** Arguments and errors may look like a health status: of several, the worst one counts. */
function findHealth(rest: string): { at: number; says: string } | undefined {
	const cuts = [...rest.matchAll(SIGN)].map(({ index }) => ({ at: index, says: rest.slice(index + SEPARATOR) }));
	return cuts.find(({ says }) => BAD.has(toServerStatus(says))) ?? cuts[0];
}

const BAD = new Set(['failed', 'needs_login', 'needs_approval']);
const SEPARATOR = ' - '.length;

function readTarget(text: string): Pick<McpServer, 'target' | 'transport'> {
	const remote = /^(.*) \((HTTP|SSE)\)$/.exec(text);
	if (remote?.[1] !== undefined) return { target: remote[1], transport: remote[2] === 'SSE' ? 'sse' : 'http' };
	return { target: text, transport: /^https?:\/\//.test(text) ? 'http' : 'stdio' };
}

const WORDINGS: readonly (readonly [RegExp, ServerStatus])[] = [
	[/^✔ Connected$/, 'connected'],
	[/^✘ Failed to connect/, 'failed'],
	[/^! Needs authentication/, 'needs_login'],
	[/^⏸ Pending approval/, 'needs_approval'],
];

function toServerStatus(words: string): ServerStatus {
	return WORDINGS.find(([wording]) => wording.test(words))?.[1] ?? 'unknown';
}

export function parseServerDetail(name: string, stdout: string): McpServerDetail {
	const fields = new Map<string, string>();
	const names = { Environment: new Set<string>(), Headers: new Set<string>() };
	const unread: string[] = [];
	let secret: keyof typeof names | undefined;
	for (const line of stdout.split('\n').map((each) => each.trimEnd())) {
		const [, label, value = ''] = FIELD.exec(line) ?? [];
		if (label === 'Environment' || label === 'Headers') secret = label;
		else if (label !== undefined) {
			secret = undefined;
			fields.set(label, value);
		} else if (secret !== undefined && !FOOTER.test(line)) noteName(names[secret], line);
		else if (line !== '' && line !== `${name}:` && !FOOTER.test(line)) unread.push(line);
	}
	return { name, ...describe(fields), env: [...names.Environment], headers: [...names.Headers], unread: unread.join('\n') };
}

/** Only known labels end a list of secrets: a value may look like any other label. */
const FIELD = /^ {2}(Scope|Status|Issue|Type|URL|Command|Args|Environment|Headers):(?: (.*))?$/;
const FOOTER = /^To remove this server, run: /;

/** An unexpected line may be part of a secret value and is skipped. */
function noteName(names: Set<string>, line: string): void {
	const found = /^ {4}([^\s=:]+)(?:=|: )/.exec(line)?.[1];
	if (found !== undefined) names.add(found);
}

function describe(fields: Map<string, string>): Pick<McpServerDetail, 'transport' | 'target' | 'status' | 'says' | 'scope'> {
	const words = fields.get('Status') ?? '';
	const issue = fields.get('Issue');
	return {
		transport: toTransport(fields.get('Type')),
		target: fields.get('URL') ?? [fields.get('Command'), fields.get('Args')].filter(Boolean).join(' '),
		status: toServerStatus(words),
		says: issue === undefined ? words : `${words} — ${issue}`,
		scope: fields.get('Scope'),
	};
}

function toTransport(type: string | undefined): McpServerDetail['transport'] {
	return type === 'stdio' || type === 'http' || type === 'sse' ? type : 'unknown';
}
