import { readCliSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { parseServerList } from './cli-output.ts';

describe('the list of MCP servers', () => {
	it('is read line by line, with the health of each', () => {
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

	it('may be empty', () => {
		expect(parseServerList(readCliSample('mcp-list').stdout)).toEqual({ servers: [], unread: '' });
	});

	it.each([
		['a server whose error claims that all is well', 'x: run me - ✘ Failed to connect — so - ✔ Connected'],
		['a server whose arguments claim that all is well', 'x: run - ✔ Connected - ✘ Failed to connect'],
	])('%s is not believed', (_name, line) => {
		expect(parseServerList(line).servers).toMatchObject([{ name: 'x', status: 'failed' }]);
	});

	it('believes neither of two wordings of which one is new', () => {
		expect(parseServerList('x: run - ✘ Lost — so - ✔ Connected').servers).toMatchObject([{ status: 'unknown' }]);
	});

	it('says unknown where the health is worded in a new way', () => {
		expect(parseServerList('x: run - ✔ Connected, mostly').servers).toMatchObject([{ status: 'unknown' }]);
	});

	it('knows names with colons in them', () => {
		expect(parseServerList('plugin:db:main: node x - ✔ Connected').servers).toMatchObject([{ name: 'plugin:db:main' }]);
	});

	it('keeps what it does not understand', () => {
		expect(parseServerList('x: run - ? Who knows\nHello\n')).toEqual({ servers: [], unread: 'x: run - ? Who knows\nHello' });
	});
});
