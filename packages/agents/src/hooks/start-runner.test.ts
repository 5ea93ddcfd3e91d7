import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcessesWithEnv } from '@roost/testkit/rigs/live-processes';
import { startProgram } from '@roost/testkit/rigs/program';
import { testedFile } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const FORWARDER = testedFile('forwarder');

/** Listens on the socket, records its arguments and requests, and answers like a runner. */
const RUNNER = `
const fs = require('node:fs');
require('node:net').createServer((socket) => socket.on('data', (line) => {
	const { request_id, hook_event_name } = JSON.parse(line);
	fs.writeFileSync(process.env.HEARD, JSON.stringify({ hook_event_name, env: process.env, cwd: process.cwd() }));
	socket.write(JSON.stringify({ request_id, ts: 1, payload: { action: 'passthrough' } }) + '\\n');
})).listen(process.env.SOCKET);
console.log('up');`;

async function openWorld(program: string) {
	const temp = await createTempDir();
	const path = (name: string) => join(temp.path, name);
	await writeFile(path('secret'), 'secret');
	const env = { HEARD: path('heard'), SOCKET: path('s.sock') };
	const start = { argv: [process.execPath, '-e', program], env, cwd: temp.path, log: path('log') };
	await writeFile(path('start.json'), JSON.stringify(start));
	return {
		path,
		async begin(startFile = path('start.json'), more: Record<string, string> = {}) {
			const flags = ['--socket', path('s.sock'), '--secret-file', path('secret'), '--start', startFile];
			const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's1' });
			await using forwarder = await startProgram([process.execPath, FORWARDER, 'SessionStart', '--roost-managed', ...flags], {
				cwd: '/',
				env: { HOME: '/nowhere', ...more },
				input,
			});
			return await forwarder.waitForExit(60_000);
		},
		async [Symbol.asyncDispose]() {
			await endProcessesWithEnv(temp.path);
			await temp[Symbol.asyncDispose]();
		},
	};
}

const SILENT = { code: 0, stdout: '', stderr: '' };

describe('runner start by a new session', () => {
	it('starts a runner in the stored environment only and reports to it', async () => {
		await using world = await openWorld(RUNNER);
		expect(await world.begin(undefined, { ROOST_HOME: '/evil', NODE_EXTRA: 'x' })).toMatchObject(SILENT);
		const received = JSON.parse(await readFile(world.path('heard'), 'utf8'));
		expect(received).toMatchObject({ hook_event_name: 'SessionStart', env: { SOCKET: world.path('s.sock') } });
		expect(Object.keys(received.env)).not.toEqual(expect.arrayContaining(['ROOST_HOME']));
		expect(Object.keys(received.env)).not.toEqual(expect.arrayContaining(['NODE_EXTRA']));
		expect(await readFile(world.path('log'), 'utf8')).toContain('up');
	});

	it('does not start a second runner if one is up', async () => {
		await using world = await openWorld(RUNNER);
		await world.begin();
		await writeFile(world.path('log'), '');
		expect(await world.begin()).toMatchObject(SILENT);
		expect(await readFile(world.path('log'), 'utf8')).toBe('');
	});

	it.each([
		['fails at once', 'process.exit(3)'],
		['never listens', 'setInterval(() => {}, 1000)'],
	])('continues silently if the runner %s', async (_what, program) => {
		await using world = await openWorld(program);
		expect(await world.begin()).toMatchObject(SILENT);
		expect(existsSync(world.path('heard'))).toBe(false);
	});

	it('continues silently if the start file is missing or broken', async () => {
		await using world = await openWorld(RUNNER);
		expect(await world.begin(world.path('missing.json'))).toMatchObject(SILENT);
		await writeFile(world.path('broken.json'), '{"argv":[]}');
		expect(await world.begin(world.path('broken.json'))).toMatchObject(SILENT);
		expect(existsSync(world.path('heard'))).toBe(false);
	});

	it('does not start a runner if Roost launched the session', async () => {
		await using world = await openWorld(RUNNER);
		expect(await world.begin(undefined, { ROOST_HOOK_SECRET: 'x' })).toMatchObject(SILENT);
		expect(existsSync(world.path('log'))).toBe(false);
	});
});
