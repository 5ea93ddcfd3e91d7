// What goes wrong with a hub: each ends in one sentence with the next step, with an exit code, and loses nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startHubProcess, succeeded } from '../rigs/hub/hub-process.ts';
import { postgres, startPostgres } from '../rigs/hub/postgres.ts';
import { type Exit, startProgram } from '../rigs/program.ts';
import { cannotRun } from '../rigs/requirements.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { askToUse, sayPrompt, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { waitFor } from '../rigs/wait-for.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';
const CLOCK = fileURLToPath(import.meta.resolve('@roost/testkit/fakes/jumping-clock'));
const KEY = 'A'.repeat(43);

describe('hub that cannot start', { timeout: 240_000 }, () => {
	it('names the port that is in use', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const refused = await runHub({}, '--port', String(port));
		server.close();
		expect(sentenceOf(refused)).toMatch(/another program uses this port\. Choose another port with "roost hub --port <n>"\.$/);
	});

	it('names its folder where it cannot be used', async () => {
		await using temp = await createTempDir();
		await writeFile(join(temp.path, 'hub'), 'a file');
		expect(sentenceOf(await runHub({ home: temp.path }))).toContain(join(temp.path, 'hub'));
	});

	it('refuses the network without TLS', async () => {
		expect(sentenceOf(await runHub({}, '--host', '0.0.0.0', '--url', 'https://hub.example.com'))).toContain('needs TLS');
	});

	it('says that another hub has its database', async () => {
		await using hub = await startHubProcess();
		expect(sentenceOf(await runHub({ home: hub.home }, '--port', '0'))).toMatch(/hub/);
	});
});

describe.skipIf(cannotRun([postgres()]))('hub with a database that does not let it in', { timeout: 240_000 }, () => {
	it('says why, without the password', async () => {
		await using cluster = await startPostgres();
		const url = await cluster.createDatabase();
		for (const [database, sentence] of [
			[url.replace('not-a-secret', 'wrong-secret'), 'rejected the user or password'],
			[url.replace(/\/t\w+\?/, '/missing?'), 'does not exist. Create it with "createdb missing"'],
			['postgresql://roost:wrong-secret@127.0.0.1:1/roost', 'does not answer'],
			['mysql://db/roost', 'must be an address'],
		]) {
			await using temp = await createTempDir();
			await writeFile(join(temp.path, 'config.yaml'), JSON.stringify({ hub: { database } }), { mode: 0o600 });
			const refused = await runHub({ home: temp.path }, '--port', '0');
			expect.soft(sentenceOf(refused), database).toContain(sentence);
			expect.soft(refused.stdout + refused.stderr).not.toMatch(/not-a-secret|wrong-secret/);
		}
	});
});

describe('joining that fails', { timeout: 240_000 }, () => {
	it('says what is wrong with the link or the hub, and pairs nothing', async () => {
		await using laptop = await startRunnerProcess();
		for (const [link, sentence] of [
			['https://hub.example.com', 'not a whole pairing link'],
			['not a link', 'not a whole pairing link'],
			[`http://127.0.0.1:1/join#code=${KEY}&key=${KEY}`, 'Nothing answers at http://127.0.0.1:1. Check the address'],
		] as const) {
			const refused = await laptop.roost('join', link);
			expect.soft(sentenceOf(refused), link).toContain(sentence);
		}
		expect(succeeded(await laptop.roost('leave'))).toContain('not paired with a hub');
		for (const words of [['sessions'], ['feed', 'x'], ['runners'], ['search', 'x']]) {
			const refused = sentenceOf(await laptop.roost('--hub', 'https://hub.example.com', ...words));
			expect.soft(refused, words.join(' ')).toContain('is not paired with https://hub.example.com');
		}
	});
});

describe('paired runner', { timeout: 240_000 }, () => {
	it('works with a hub whose clock is a day off', async () => {
		for (const days of [1, -1]) {
			await using temp = await createTempDir();
			const clock = join(temp.path, 'clock');
			await writeFile(clock, String(days * 86_400_000));
			const env = { JUMPING_CLOCK: clock, NODE_OPTIONS: `--conditions=source --import ${CLOCK}` };
			await using hub = await startHubProcess({ env });
			await using laptop = await startRunnerProcess();
			await hub.pair(laptop);
			const agent = await laptop.openLaunch();
			await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
			await sayPrompt(agent, 'at another time');
			const fromHub = async () => (await laptop.roost('--hub', hub.url, 'feed', agent.sessionId)).stdout;
			await waitFor(async () => ((await fromHub()).includes('at another time') ? true : undefined), {
				what: 'the record at the hub',
			});
			await laptop.roost('rules', 'add', 'ask', 'Bash');
			const decided = askToUse(agent, 'Bash', { command: 'git push' });
			const asks = async () => JSON.parse((await laptop.roost('--hub', hub.url, 'asks', '--json')).stdout);
			const id = await waitFor(async () => (await asks())[0]?.id as string | undefined, { what: 'the request at the hub' });
			succeeded(await laptop.roost('--hub', hub.url, 'deny', id));
			expect((await decided).behavior).toBe('deny');
		}
	});

	it('says that it was revoked, keeps its record, and joins again with a new link', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		await hub.pair(laptop);
		succeeded(await hub.roost('hub', 'revoke', 'laptop'));
		const reason = await waitFor(
			async () => {
				const status = await laptop.api.hubLink.status();
				return status.ok && status.value.state === 'refused' ? status.value.reason : undefined;
			},
			{ what: 'the refusal' },
		);
		expect(reason).toMatch(/was revoked\. Run "roost join"/);
		await hub.pair(laptop);
		expect(succeeded(await laptop.roost('--hub', hub.url, 'runners'))).toContain('online');
	});

	it('is told when its device was revoked, not that the hub is gone', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		await hub.pair(laptop);
		const token = readFileSync(join(hub.home, 'hub', 'token'), 'utf8').trim();
		const revoked = await fetch(`${hub.url}/api/v1/devices`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
		expect(revoked.status).toBe(200);
		const refused = sentenceOf(await laptop.roost('--hub', hub.url, 'runners'));
		expect(refused).toMatch(/was revoked\. Run "roost join <link>"/);
	});
});

describe.runIf(process.platform === 'linux')('hub with a full disk', { timeout: 240_000 }, () => {
	it('acknowledges nothing, still answers, and has everything after there is room', async () => {
		const through = ['/bin/sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'];
		await using hub = await startHubProcess({ through });
		const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(hub.program.pid), `--fsize=${bytes}:unlimited`]);
		await using laptop = await startRunnerProcess();
		await hub.pair(laptop);
		const agent = await laptop.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		await sayPrompt(agent, 'before');
		const own = async () => succeeded(await laptop.roost('feed', agent.sessionId, '--json'));
		const fromHub = async () => (await laptop.roost('--hub', hub.url, 'feed', agent.sessionId, '--json')).stdout;
		const isSame = async () => ((await fromHub()) === (await own()) ? true : undefined);
		await waitFor(isSame, { what: 'the record at the hub' });
		const before = await own();
		limit('0');
		for (let at = 0; at < 5; at += 1) await sayPrompt(agent, `while the disk is full ${at}`);
		await waitFor(() => /disk|space|full/i.exec(hub.program.output().stdout) ?? undefined, {
			what: 'the warning of the hub',
			seen: hub.program.output,
		});
		// All or nothing of each batch.
		expect(await fromHub()).toBe(before);
		limit('unlimited');
		await waitFor(isSame, { what: 'the record after there was room' });
		expect(await fromHub()).toContain('while the disk is full 4');
	});
});

async function runHub({ home }: { home?: string }, ...args: readonly string[]): Promise<Exit> {
	await using temp = await createTempDir();
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: home ?? join(temp.path, 'roost') };
	await using program = await startProgram(roostArgv('hub', ...args), { cwd: temp.path, env });
	return await program.waitForExit(60_000);
}

/** One line, and a failure. */
function sentenceOf({ code, stderr }: Exit): string {
	expect([code === 0 || code === null, stderr.trim().split('\n').length], stderr).toEqual([false, 1]);
	return stderr.trim();
}
