// `claude mcp list`, which has no JSON form: one line a server, `name: command or address - health`.
import type { McpServer, McpServerList } from '@roost/protocol/api/mcp';
import { toServerStatus } from './mcp-status.ts';

export function parseServerList(stdout: string): McpServerList {
	const servers: McpServer[] = [];
	const unread: string[] = [];
	for (const line of stdout.split('\n').map((each) => each.trimEnd())) {
		const server = parseLine(line);
		if (server) servers.push(server);
		else if (line !== '' && !EXPECTED.test(line)) unread.push(line);
	}
	return { servers, unread: unread.join('\n') };
}

const EXPECTED = /^(Checking MCP server health|No MCP servers configured\.)/;
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

/** A server's arguments and its error may both look like its health: where a line says two things, the worse one holds. */
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
