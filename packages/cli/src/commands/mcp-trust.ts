// roost mcp trust, untrust: which MCP servers of this project may be started.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { McpServerConfig, ProjectMcp, ProjectServer } from '@roost/protocol/api/mcp-trust';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { confirmChange } from '../output/ask-yes.ts';
import { fail, unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { print } from '../output/print.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

type Options = { json?: boolean; yes?: boolean };

/** Without a name: lists the servers, or trusts all of them with --yes. */
export async function trustServer(name: string | undefined, options: Options): Promise<void> {
	const lists = name === undefined && !options.yes;
	const connected = unwrap(lists ? await connectOrStart() : await connectOrStartToDecide('mcp trust'));
	const { projectServers } = connected.api;
	const brought = unwrap(await projectServers.list({ project: process.cwd() }));
	if (lists) return await print(options, brought, toList(brought));
	if (name === undefined) return await trustAll(projectServers, brought, options);
	const server = unwrap(findServer(brought, name));
	if (!server.trusted && !(await mayTrust(server, options))) return;
	const { hash } = server;
	const trusted = unwrap(await projectServers.trust({ project: process.cwd(), name, hash }));
	await print(options, trusted, [
		`Trusted: ${name} is started with every session that Roost drives in ${sanitiseLine(trusted.project)}.`,
		`If its entry in .mcp.json changes, you are asked again. Remove the trust with "${calledAs()} mcp untrust ${name}".`,
	]);
}

async function trustAll(projectServers: ApiClient['projectServers'], brought: ProjectMcp, options: Options): Promise<void> {
	const names: string[] = [];
	for (const server of brought.servers.filter(({ trusted }) => !trusted)) {
		await mayTrust(server, { ...options, yes: true });
		const { name, hash } = server;
		const trusted = await projectServers.trust({ project: process.cwd(), name, hash });
		if (!trusted.ok) return fail(trusted.error, options, { trusted: names });
		names.push(name);
	}
	const project = sanitiseLine(brought.project);
	const done = names.length === 0 ? 'No MCP server to trust' : `Trusted: ${names.join(', ')}`;
	await print(options, { project: brought.project, trusted: names }, [`${done} in ${project}.`]);
}

export async function untrustServer(name: string, options: Options): Promise<void> {
	const connected = unwrap(await connectOrStartToDecide('mcp untrust'));
	const untrusted = unwrap(await connected.api.projectServers.untrust({ project: process.cwd(), name }));
	await print(options, untrusted, [
		`No longer trusted: ${sanitiseLine(name)}. Sessions that run already keep it until they end.`,
	]);
}

function findServer({ servers }: ProjectMcp, name: string): Result<ProjectServer> {
	const server = servers.find((each) => each.name === name);
	if (server) return ok(server);
	const known = servers.map((each) => each.name).join(', ');
	const there = known === '' ? 'this project names none in .mcp.json.' : `this project names ${known}.`;
	return err(new AppError('not_found', `There is no MCP server "${name}": ${there}`));
}

function toList({ project, servers, broken }: ProjectMcp): string[] {
	const notes = broken.map((sentence) => `Note: ${sanitiseLine(sentence)}`);
	if (servers.length === 0) return [`${sanitiseLine(project)} names no MCP servers in .mcp.json.`, ...notes];
	const listed = servers.flatMap((server) => [
		`${server.name}  ${server.trusted ? 'trusted' : 'not trusted'}`,
		...toLines(server.config),
	]);
	return [...listed, ...notes, `Trust one with "${calledAs()} mcp trust <name>".`];
}

/** One line for each part, so that nothing hides at the end of a long line. */
function toLines(config: McpServerConfig): string[] {
	const pairs = (label: string, map: Record<string, string> = {}) =>
		Object.entries(map).map(([key, value]) => `  ${label.padEnd(8)} ${shown(key)} = ${shown(value)}`);
	if ('url' in config) return [`  address  ${shown(config.url)}`, ...pairs('header', config.headers)];
	const args = (config.args ?? []).map((arg) => `  argument ${shown(arg)}`);
	return [`  command  ${shown(config.command)}`, ...args, ...pairs('sets', config.env)];
}

function shown(text: string): string {
	return sanitiseLine(text === '' ? '""' : text);
}

/** Shows the server first. Without a terminal, --yes is required. */
async function mayTrust(server: ProjectServer, options: Options): Promise<boolean> {
	if (!options.json) {
		process.stdout.write(`${[server.name, ...toLines(server.config), warningFor(server.config)].join('\n')}\n`);
	}
	if (options.yes) return true;
	return await confirmChange('Trust it?', {
		...options,
		otherwise: 'Nothing was changed: run it again with --yes to trust this.',
	});
}

function warningFor(config: McpServerConfig): string {
	return 'url' in config
		? 'Agents send their requests and data to that address.'
		: 'It runs as you. What is trusted is this entry, not the files that it runs.';
}
