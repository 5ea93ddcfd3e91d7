import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { loadConfig } from '@roost/home/config/load-config';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { makeDemoHome } from './demo-home.ts';

describe('demo home', () => {
	it('is private, has a working folder, and is removed afterwards', () => {
		const home = unwrap(makeDemoHome({}));
		const path = home.env.ROOST_HOME ?? '';
		expect(path.startsWith(tmpdir())).toBe(true);
		expect(lstatSync(path).mode & 0o777).toBe(0o700);
		expect(readdirSync(home.folder)).toEqual([]);
		home[Symbol.dispose]();
		expect(existsSync(path)).toBe(false);
	});

	it('inherits no settings of the user, and lets asks time out after a minute', () => {
		const user = {
			PATH: '/bin',
			ROOST_HOME: '/home/ada/roost',
			ROOST_AUTH_TOKEN: 'x'.repeat(40),
			ROOST_HUB_URL: 'wss://hub.example.com',
		};
		using home = unwrap(makeDemoHome({ ...user, ROOST_HOST: '0.0.0.0', ROOST_PORT: '3100', ROOST_GATE: 'enforce' }));
		expect(Object.keys(home.env).sort()).toEqual(['HOME', 'PATH', 'ROOST_HOME', 'ROOST_PORT']);
		const { runner, sdk, auth, gate } = unwrap(loadConfig({ env: home.env }));
		expect({ port: runner.port, host: runner.host, wait: sdk.approvalTimeoutMs, token: auth.token, gate: gate.mode }).toEqual({
			port: 0,
			host: '127.0.0.1',
			wait: 60_000,
			token: undefined,
			gate: 'observe',
		});
	});

	it('removes its process listeners', () => {
		const count = () => ['exit', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
		const before = count();
		unwrap(makeDemoHome({}))[Symbol.dispose]();
		expect(count()).toEqual(before);
	});
});
