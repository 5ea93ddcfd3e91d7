import { describe, expect, it } from 'vitest';
import { addServerArgv, getServerArgv, loginArgv, removeServerArgv, secretsOf } from './mcp-argv.ts';
import { listPluginsArgv, marketplaceArgv, pluginArgv } from './plugin-argv.ts';

const project = '/project';
const sha = 'a'.repeat(64);

describe('arguments for claude', () => {
	it('name a plugin behind the dashes', () => {
		expect(pluginArgv({ verb: 'install', project, plugin: 'a@b', scope: 'local' })).toEqual(
			'plugin install --json --scope=local -- a@b'.split(' '),
		);
		expect(listPluginsArgv({ available: true })).toEqual(['plugin', 'list', '--json', '--available']);
	});

	it('accept the command of a marketplace only by its hash, and only where one is run', () => {
		expect(pluginArgv({ verb: 'update', project, plugin: 'a', acceptCommand: sha })).toContain(`--accept-command=${sha}`);
		expect(pluginArgv({ verb: 'enable', project, plugin: 'a', acceptCommand: sha })).toEqual([
			'plugin',
			'enable',
			'--json',
			'--',
			'a',
		]);
	});

	it('name a marketplace behind the dashes, or none', () => {
		const add = marketplaceArgv({ verb: 'add', project, source: './m' });
		expect(add).toEqual(['plugin', 'marketplace', 'add', '--json', '--', './m']);
		expect(marketplaceArgv({ verb: 'update', project })).toEqual(['plugin', 'marketplace', 'update']);
		expect(marketplaceArgv({ verb: 'remove', project, name: 'm' }).slice(-2)).toEqual(['--', 'm']);
	});

	it('leave a program its own arguments', () => {
		const args = ['--scope=user', '--', '-e', 'X=1'];
		const server = { transport: 'stdio', project, name: 's', command: 'run', args, env: { A: '1=2' }, scope: 'user' } as const;
		const before = ['mcp', 'add', '--transport=stdio', '--scope=user', '--env', 'A=1=2', '--'];
		expect(addServerArgv({ ...server, args })).toEqual([...before, 's', 'run', ...args]);
		expect(secretsOf({ ...server, args })).toEqual(['1=2']);
	});

	it('give a remote server its headers', () => {
		const server = { transport: 'sse', project, name: 's', url: 'http://h/', headers: { A: 'b' } } as const;
		expect(addServerArgv(server)).toEqual(['mcp', 'add', '--transport=sse', '--header', 'A: b', '--', 's', 'http://h/']);
		expect(secretsOf(server)).toEqual(['b']);
	});

	it('take a server as JSON', () => {
		const server = { transport: 'json', project, name: 's', config: { command: 'x', env: { A: 'secret' } } } as const;
		expect(addServerArgv(server)).toEqual(['mcp', 'add-json', '--', 's', '{"command":"x","env":{"A":"secret"}}']);
		expect(secretsOf(server)).toEqual(['x', 'secret']);
	});

	it('name a server behind the dashes', () => {
		expect(getServerArgv('s')).toEqual(['mcp', 'get', '--', 's']);
		expect(loginArgv('s')).toEqual(['mcp', 'login', '--no-browser', '--', 's']);
		expect(removeServerArgv({ name: 's', scope: 'project' })).toEqual(['mcp', 'remove', '--scope=project', '--', 's']);
	});
});
