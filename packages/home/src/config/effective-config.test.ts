import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { readEffectiveConfig } from './effective-config.ts';

describe('effective configuration', () => {
	it('names the source of each value: default, file, environment or flag', async () => {
		await using world = await createWorld('runner: {name: desk, port: 1, host: a}\ngate: {mode: enforce}\n');
		const settings = world.read({ ROOST_PORT: '2', ROOST_HOST: 'b' }, { port: '3' });
		expect(settings.slice(0, 3)).toEqual([
			{ key: 'runner.name', value: 'desk', source: 'file', from: world.file },
			{ key: 'runner.port', value: 3, source: 'flag', from: '--port' },
			{ key: 'runner.host', value: 'b', source: 'environment', from: 'ROOST_HOST' },
		]);
		expect(settings).toContainEqual({ key: 'auth.tokenFile', value: null, source: 'default', from: null });
		expect(settings).toContainEqual({ key: 'hub.reconnect.jitter', value: true, source: 'default', from: null });
	});

	it('never contains a secret, only whether it is set', async () => {
		const secret = 's'.repeat(40);
		await using world = await createWorld(
			`auth: {token: ${secret}}\nagents: {pi: {env: {KEY: ${secret}}}, own: {command: own}}\n`,
		);
		const settings = world.read();
		expect(settings.filter(({ key }) => /^(auth\.token|agents\..*)$/.test(key))).toEqual([
			{ key: 'auth.token', value: 'set', source: 'file', from: world.file },
			{ key: 'agents.own.command', value: ['own'], source: 'file', from: world.file },
			{ key: 'agents.pi.env', value: { KEY: 'set' }, source: 'file', from: world.file },
		]);
		expect(JSON.stringify(world.read({ ROOST_AUTH_TOKEN: secret }))).not.toContain(secret);
		await using empty = await createWorld('');
		expect(empty.read()).toContainEqual({ key: 'auth.token', value: null, source: 'default', from: null });
	});

	it('reports the path of a missing file', () => {
		const { file } = unwrap(readEffectiveConfig({ env: { ROOST_HOME: '/nowhere' } }));
		expect(file).toEqual({ path: '/nowhere/config.yaml', exists: false });
	});
});

async function createWorld(yaml: string) {
	const temp = await createTempDir();
	const file = join(temp.path, 'config.yaml');
	writeFileSync(file, yaml, { mode: 0o600 });
	const read = (env: NodeJS.ProcessEnv = {}, flags = {}) =>
		unwrap(readEffectiveConfig({ env: { ROOST_HOME: temp.path, HOME: '/home/me', ...env }, flags })).settings;
	return { ...temp, file, read };
}
