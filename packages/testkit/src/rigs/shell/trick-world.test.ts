import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { createTrickWorld } from './trick-world.ts';

it('detects changes of a command line in its own folder, and isolates everything else', { timeout: 120_000 }, async () => {
	await using world = await createTrickWorld();
	expect(await world.shows('rm victim')).toBe(true);
	expect(await world.shows('ls')).toBe(false);
	expect(await world.pushes('git push -q')).toBe(true);
	if (process.getuid?.() !== 0) return;
	const probes = ['/usr/bin', '/etc', homedir(), process.cwd()].map((folder) => `${folder}/roost-probe-${process.pid}`);
	expect(await world.shows(`touch ${probes.join(' ')}; touch pwned`)).toBe(true);
	expect(probes.filter((path) => existsSync(path))).toEqual([]);
});
