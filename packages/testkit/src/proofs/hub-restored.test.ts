// A hub, and then a runner, that is restored from an older backup: nothing is overwritten, and who follows sees the whole record.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectThroughHub } from '@roost/cli/hub/connect-hub';
import { describe, expect, it } from 'vitest';
import { succeeded } from '../rigs/hub/hub-process.ts';
import { countRenames, type HubWorld, openHubWorld } from '../rigs/hub/hub-world.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 10 : 1;
const EVENTS = 30;

describe('backup', { timeout: ROUNDS * 240_000 }, () => {
	it('of a hub is filled up by its runner, also for faces that had seen more, and no command runs again', async () => {
		await using world = await openHubWorld();
		const { hub } = world;
		await using backup = await createTempDir();
		const connected = unwrap(await connectThroughHub({ hub: hub.url, runner: undefined }, 'cli', world.runner.env));
		await using stream = connected.openStream();
		const followed: number[] = [];
		stream.follow({ after: null }, { onLine: ({ seqNo }) => followed.push(seqNo) });
		const titles: string[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			await work(world, titles, `before ${round}`);
			await hub.kill();
			await replace(hub.home, backup.path);
			await hub.restart();
			await work(world, titles, `after ${round}`);
			await world.agree();
			await hub.kill();
			await replace(backup.path, hub.home);
			await hub.restart();
			// The same ids: the runner has run them, whatever the hub remembers.
			for (const title of titles) await world.rename(`rename ${title}`.replaceAll(' ', '-'), title);
			await work(world, titles, `restored ${round}`);
			const lines = await world.agree();
			await waitFor(() => (followed.length >= lines.length ? true : undefined), {
				what: 'the client to follow on',
				seen: () => [followed.length, lines.length],
			});
		}
		const lines = await world.agree();
		expect(followed).toEqual(lines.map((_, at) => at + 1));
		expect([...countRenames(lines)]).toEqual(titles.map((title) => [title, 1]));
		expect(await world.atHub(2)).toEqual([]);
	});

	it('of a runner continues in a new epoch: what the hub had stays, and a fact says so', async () => {
		await using world = await openHubWorld();
		const { runner, face } = world;
		await using backup = await createTempDir();
		const titles: string[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			await work(world, titles, `before ${round}`);
			await runner.kill();
			await replace(runner.home, backup.path);
			await runner.restart();
			await work(world, titles, `after ${round}`);
			const lost = await world.agree();
			await runner.kill();
			await replace(backup.path, runner.home);
			await runner.restart();
			const epoch = round + 2;
			await waitFor(() => (face.epoch() === epoch ? true : undefined), {
				what: 'the face to learn of the new epoch',
				seen: () => [face.epoch(), face.errors],
			});
			await work(world, titles, `restored ${round}`);
			const lines = await world.agree();
			expect(await world.atHub(epoch - 1)).toEqual(lost);
			expect(await world.atHub(epoch)).toEqual(lines);
			expect(lines.filter((line) => line.includes(`It continues as epoch ${epoch}.`))).toHaveLength(1);
			expect(succeeded(await runner.roost('verify'))).toContain('intact');
		}
	});
});

async function work({ report, rename }: HubWorld, titles: string[], name: string): Promise<void> {
	for (let at = 0; at < EVENTS; at += 1) await report({ hook_event_name: 'UserPromptSubmit', prompt: `${name}, ${at}` });
	await rename(`rename ${name}`.replaceAll(' ', '-'), name);
	titles.push(name);
}

/** All files of the folder, in place of what the other one has. */
async function replace(from: string, to: string): Promise<void> {
	for (const name of ['roost.db', 'hub/hub.db', 'hub.db']) {
		for (const suffix of ['', '-wal', '-shm']) await rm(join(to, `${name}${suffix}`), { force: true });
	}
	await cp(from, to, { recursive: true, force: true, filter: (path) => !path.endsWith('.sock') });
}
