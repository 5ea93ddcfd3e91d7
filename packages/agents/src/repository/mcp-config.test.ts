import { describe, expect, it } from 'vitest';
import { expandServer, parseMcpServers } from './mcp-config.ts';

/** A variable as such files write it. */
const v = (inside: string) => `\${${inside}}`;

describe('MCP servers in a file', () => {
	it('are read as commands with arguments, or as http and sse URLs', () => {
		const servers = {
			a: { command: 'node', args: ['a.js'], env: { K: 'v' } },
			b: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
			c: { type: 'sse', url: 'https://example.com/sse', timeout: 5000 },
		};
		const read = parseMcpServers(servers, '.mcp.json');
		expect(read.broken).toEqual([]);
		expect(Object.fromEntries(read.servers.map(({ name, config }) => [name, config]))).toEqual(servers);
	});

	it('are skipped individually if they are broken', () => {
		const text = `{
			"__proto__": {"command": "rm"}, "constructor": {"command": "rm"}, "toString": {"command": "rm"},
			"has space": {"command": "x"}, "": {"command": "x"}, "\\u001b[2J": {"command": "x"}, "${'n'.repeat(65)}": {"command": "x"},
			"number": 5, "nothing": null, "list": [], "empty": {}, "no-command": {"command": ""}, "wrong-args": {"command": "x", "args": "-rf"},
			"wrong-env": {"command": "x", "env": {"A": 1}}, "no-type": {"url": "https://example.com"}, "ws": {"type": "ws", "url": "wss://x"},
			"sdk": {"type": "sdk", "name": "x"}, "good": {"command": "rm"}
		}`;
		const read = parseMcpServers(JSON.parse(text), '.mcp.json');
		expect(read.servers.map(({ name }) => name)).toEqual(['good']);
		expect(read.broken).toHaveLength(17);
		for (const sentence of read.broken) {
			expect(sentence).toMatch(/^The MCP server "[^"]*" in \.mcp\.json is left out because .*\.$/);
			expect(sentence).not.toContain('\u001b');
			expect(sentence.length).toBeLessThan(250);
		}
	});

	it.each([[null], [5], ['text'], [[]], [true]])('are all skipped if they are %j', (value) => {
		expect(parseMcpServers(value, '.mcp.json')).toEqual({
			servers: [],
			broken: ['The MCP servers in .mcp.json are left out because they are not a map of names.'],
		});
	});

	it('are limited in number', () => {
		const many = Object.fromEntries(Array.from({ length: 150 }, (_each, at) => [`s${at}`, { command: 'x' }]));
		const read = parseMcpServers(many, '.mcp.json');
		expect(read.servers).toHaveLength(100);
		expect(read.broken).toEqual(['.mcp.json names too many MCP servers: only the first 100 are read.']);
	});
});

describe('MCP server hash', () => {
	const hashOf = (config: object) => parseMcpServers({ s: config }, 'x').servers[0]?.hash;

	it('is the same for the same configuration in any key order', () => {
		const one = hashOf({ command: 'node', args: ['a'], env: { A: '1', B: '2' } });
		expect(hashOf({ env: { B: '2', A: '1' }, args: ['a'], command: 'node', note: 'nobody reads this' })).toBe(one);
		expect(one).toMatch(/^[0-9a-f]{64}$/);
	});

	it('differs for every change that takes effect', () => {
		const configs = [
			{ command: 'node' },
			{ command: 'nodE' },
			{ command: 'node', args: ['a', 'b'] },
			{ command: 'node', args: ['b', 'a'] },
			{ command: 'node', args: ['a b'] },
			{ command: 'node', env: { NODE_OPTIONS: '--require ./evil.js' } },
			{ type: 'http', url: 'https://a' },
			{ type: 'sse', url: 'https://a' },
			{ type: 'http', url: 'https://a', headers: { A: v('TOKEN') } },
		];
		expect(new Set(configs.map(hashOf)).size).toBe(configs.length);
	});
});

describe('variable in an MCP server', () => {
	const env = { NAME: 'value', EMPTY: '' };

	it('is expanded from the agent environment in every field', () => {
		const stdio = { command: v('NAME'), args: [`a-${v('NAME')}-${v('NAME')}`], env: { X: v('NAME') } };
		expect(expandServer(stdio, env)).toEqual({
			config: { command: 'value', args: ['a-value-value'], env: { X: 'value' } },
			unset: [],
		});
		const http = { type: 'http' as const, url: `https://${v('NAME')}/`, headers: { A: `Bearer ${v('NAME')}` } };
		expect(expandServer(http, env).config).toEqual({ type: 'http', url: 'https://value/', headers: { A: 'Bearer value' } });
	});

	it.each([
		[v('MISSING:-else'), 'else', []],
		[v('MISSING:-'), '', []],
		[v('EMPTY:-else'), '', []],
		['$NAME', '$NAME', []],
		[v('MISSING'), v('MISSING'), ['MISSING']],
		[v('constructor'), v('constructor'), ['constructor']],
		[v('1'), v('1'), []],
	])('expands %s to %j', (command, expanded, unset) => {
		expect(expandServer({ command: `x${command}` }, env)).toEqual({ config: { command: `x${expanded}` }, unset });
	});
});
