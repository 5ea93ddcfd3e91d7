import { readCliSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { parseServerList } from './cli-output.ts';

describe('MCP server list', () => {
	it('is parsed line by line with the health of each server', () => {
		const { servers, unread } = parseServerList(readCliSample('mcp-list-health').stdout);
		expect(unread).toBe('');
		expect(servers.map(({ name, transport, target, status }) => [name, transport, target, status])).toEqual([
			['labauth', 'http', 'http://127.0.0.1:8999/mcp', 'needs_login'],
			['labsse', 'sse', 'http://127.0.0.1:8999/sse', 'failed'],
			['labproj', 'stdio', 'node /home/dev/lab/mcp.mjs', 'needs_approval'],
			['labsrv', 'stdio', 'node /home/dev/lab/mcp.mjs --flag', 'connected'],
			['labhttp', 'http', 'http://127.0.0.1:8999/open', 'connected'],
			['labbroken', 'stdio', '/home/dev/nowhere a - b', 'failed'],
		]);
		expect(servers.at(-1)?.says).toMatch(/^✘ Failed to connect — ENOENT: /);
	});

	it('can be empty', () => {
		expect(parseServerList(readCliSample('mcp-list').stdout)).toEqual({ servers: [], unread: '' });
	});

	it.each([
		['a server whose error contains "Connected"', 'x: run me - ✘ Failed to connect — so - ✔ Connected'],
		['a server whose arguments contain "Connected"', 'x: run - ✔ Connected - ✘ Failed to connect'],
	])('%s counts as failed', (_name, line) => {
		expect(parseServerList(line).servers).toMatchObject([{ name: 'x', status: 'failed' }]);
	});

	it('reports unknown if only one of two conflicting statuses is recognized', () => {
		expect(parseServerList('x: run - ✘ Lost — so - ✔ Connected').servers).toMatchObject([{ status: 'unknown' }]);
	});

	it('reports unknown for an unrecognized status', () => {
		expect(parseServerList('x: run - ✔ Connected, mostly').servers).toMatchObject([{ status: 'unknown' }]);
	});

	it('accepts server names that contain colons', () => {
		expect(parseServerList('plugin:db:main: node x - ✔ Connected').servers).toMatchObject([{ name: 'plugin:db:main' }]);
	});

	it('keeps unrecognized lines', () => {
		expect(parseServerList('x: run - ? Who knows\nHello\n')).toEqual({ servers: [], unread: 'x: run - ? Who knows\nHello' });
	});
});
