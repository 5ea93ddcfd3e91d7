// A real hub whose disk rejects writes for a while: nothing is acknowledged, reads go on, and all is caught up afterwards.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startHubProcess } from '../rigs/hub/hub-process.ts';
import { countRenames, type HubWorld, openHubWorld } from '../rigs/hub/hub-world.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

/** With the signal ignored, a write past the limit fails like on a full disk. */
const IGNORING_LIMITS = ['/bin/sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'];
const ROUNDS = process.env.ROOST_SOAK === '1' ? 10 : 1;

describe.runIf(process.platform === 'linux')('full disk of a hub', { timeout: ROUNDS * 240_000 }, () => {
	it('acknowledges nothing that is not stored, still reads, says why, and is caught up when there is room', async () => {
		await using hub = await startHubProcess({ through: IGNORING_LIMITS });
		await using world = await openHubWorld({ hub });
		const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(hub.program.pid), `--fsize=${bytes}:unlimited`]);
		await world.rename('before', 'Before');
		for (let round = 0; round < ROUNDS; round += 1) {
			const before = await world.agree();
			limit('0');
			for (let at = 0; at < 20; at += 1) await world.report({ hook_event_name: 'UserPromptSubmit', prompt: `${round} ${at}` });
			const { reason } = await waitFor(async () => await whyNotConnected(world.runner), { what: 'the runner to say why' });
			expect(reason).toMatch(/(Free some space|Check the disk) and retry/);
			const refused = await world.api().sessions.rename({ commandId: `full-${round}`, id: world.session, title: 'Full' });
			expect(refused).toMatchObject({ ok: false, error: { code: 'store_unavailable' } });
			expect(unwrap(await world.api().record.session({ id: world.session })).id).toBe(world.session);
			expect((await world.atHub()).slice(0, before.length)).toEqual(before);
			limit('unlimited');
			await world.rename(`after-${round}`, `After ${round}`);
			const lines = await world.agree();
			expect(lines.length).toBeGreaterThan(before.length);
			expect(countRenames(lines).get('Full')).toBeUndefined();
		}
	});
});

async function whyNotConnected({ api }: HubWorld['runner']) {
	const { state, reason } = unwrap(await api.hubLink.status());
	return state !== 'connected' && reason !== undefined ? { reason } : undefined;
}
