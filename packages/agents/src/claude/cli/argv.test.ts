import { describe, expect, it } from 'vitest';
import { claudeCli } from './claude-cli.ts';

const project = '/project';
const sha = 'a'.repeat(64);

describe('claude arguments', () => {
	it('put the plugin name after --', () => {
		expect(claudeCli.changePlugin({ verb: 'install', project, plugin: 'a@b', scope: 'local' }).args).toEqual(
			'plugin install --json --scope=local -- a@b'.split(' '),
		);
		expect(claudeCli.listPlugins({ available: true }).args).toEqual(['plugin', 'list', '--json', '--available']);
	});

	it('accept a marketplace command by its hash, and only for verbs that run one', () => {
		expect(claudeCli.changePlugin({ verb: 'update', project, plugin: 'a', acceptCommand: sha }).args).toContain(
			`--accept-command=${sha}`,
		);
		expect(claudeCli.changePlugin({ verb: 'enable', project, plugin: 'a', acceptCommand: sha }).args).toEqual([
			'plugin',
			'enable',
			'--json',
			'--',
			'a',
		]);
	});

	it('put the marketplace after --, or omit it', () => {
		const add = claudeCli.changeMarketplace({ verb: 'add', project, source: './m' }).args;
		expect(add).toEqual(['plugin', 'marketplace', 'add', '--json', '--', './m']);
		expect(claudeCli.changeMarketplace({ verb: 'update', project }).args).toEqual(['plugin', 'marketplace', 'update']);
		expect(claudeCli.changeMarketplace({ verb: 'remove', project, name: 'm' }).args.slice(-2)).toEqual(['--', 'm']);
	});

	it('pass the arguments of a stdio server unchanged', () => {
		const args = ['--scope=user', '--', '-e', 'X=1'];
		const server = { transport: 'stdio', project, name: 's', command: 'run', args, env: { A: '1=2' }, scope: 'user' } as const;
		const before = ['mcp', 'add', '--transport=stdio', '--scope=user', '--env', 'A=1=2', '--'];
		expect(claudeCli.addServer({ ...server, args }).args).toEqual([...before, 's', 'run', ...args]);
		expect(claudeCli.addServer({ ...server, args }).secrets).toEqual(['1=2']);
	});

	it('include the headers of a remote server', () => {
		const server = { transport: 'sse', project, name: 's', url: 'http://h/', headers: { A: 'b' } } as const;
		expect(claudeCli.addServer(server).args).toEqual([
			'mcp',
			'add',
			'--transport=sse',
			'--header',
			'A: b',
			'--',
			's',
			'http://h/',
		]);
		expect(claudeCli.addServer(server).secrets).toEqual(['b']);
	});

	it('pass a JSON server config as one argument', () => {
		const server = { transport: 'json', project, name: 's', config: { command: 'x', env: { A: 'secret' } } } as const;
		expect(claudeCli.addServer(server).args).toEqual(['mcp', 'add-json', '--', 's', '{"command":"x","env":{"A":"secret"}}']);
		expect(claudeCli.addServer(server).secrets).toEqual(['x', 'secret']);
	});

	it('put the server name after --', () => {
		expect(claudeCli.showServer('s').args).toEqual(['mcp', 'get', '--', 's']);
		expect(claudeCli.logIn('s').args).toEqual(['mcp', 'login', '--no-browser', '--', 's']);
		expect(claudeCli.removeServer({ name: 's', scope: 'project' }).args).toEqual(['mcp', 'remove', '--scope=project', '--', 's']);
	});
});
