// The first run of a hub and of a runner that joins it, as docs/hub.md describes it: real programs, each in a home of its own.
import { runnerRow } from '@roost/protocol/hub/runners';
import { describe, expect, it } from 'vitest';
import { type HubProcess, startHubProcess, succeeded } from '../rigs/hub/hub-process.ts';
import { askToUse, type RunnerProcess, sayPrompt, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000002';

describe('hub', { timeout: 240_000 }, () => {
	it('pairs a runner in one step, and answers with the bytes of its record, also after kill -9 and while the runner is away', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		await hub.pair(laptop);
		const agent = await laptop.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		await sayPrompt(agent, 'make the health check honest');
		const own = async () => succeeded(await laptop.roost('feed', agent.sessionId, '--json'));
		const through = async () => (await laptop.roost('--hub', hub.url, 'feed', agent.sessionId, '--json')).stdout;
		const isSame = async () => ((await through()) === (await own()) ? true : undefined);
		await waitFor(isSame, { what: 'the record at the hub' });
		expect(await through()).toContain('make the health check honest');

		await hub.kill();
		await sayPrompt(agent, 'while the hub was away');
		await hub.restart();
		await waitFor(isSame, { what: 'the record after the hub was killed' });
		expect(await through()).toContain('while the hub was away');

		const before = await own();
		await laptop.kill();
		await waitFor(async () => ((await status(laptop, hub)).online ? undefined : true), { what: 'the runner to be offline' });
		expect(await through()).toBe(before);
		const refused = await laptop.roost('--hub', hub.url, 'agents');
		expect(refused.stderr).toMatch(/The runner "laptop" is offline since \d{4}-/);
	});

	it('lists the requests of its runners, and denies one by the role of its owner', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		await hub.pair(laptop);
		await laptop.roost('rules', 'add', 'ask', 'Bash');
		const agent = await laptop.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		const decided = askToUse(agent, 'Bash', { command: 'git push' });
		const id = await waitFor(
			async () => JSON.parse((await laptop.roost('--hub', hub.url, 'asks', '--json')).stdout)[0]?.id as string | undefined,
			{ what: 'the request at the hub' },
		);
		expect(await status(laptop, hub)).toMatchObject({ name: 'laptop', online: true, asks: 1 });
		succeeded(await laptop.roost('--hub', hub.url, 'deny', id));
		expect((await decided).behavior).toBe('deny');
	});

	it('allows a request with the signature of a device that the runner trusts, and of no other', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		await hub.pair(laptop);
		await using phone = await startRunnerProcess();
		await hub.pair(phone, 'phone');
		await laptop.roost('rules', 'add', 'ask', 'Bash');
		const agent = await laptop.openLaunch();
		await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
		const decided = askToUse(agent, 'Bash', { command: 'git push' });
		const through = ['--hub', hub.url, '--runner', 'laptop'];
		const id = await waitFor(
			async () => JSON.parse((await phone.roost(...through, 'asks', '--json')).stdout)[0]?.id as string | undefined,
			{ what: 'the request at the hub' },
		);
		const refused = await phone.roost(...through, 'allow', id);
		expect(refused.stderr).toMatch(/Device \w{16} is not trusted on this runner/);
		succeeded(await laptop.roost(...through, 'allow', id));
		expect((await decided).behavior).toBe('allow');
		expect(succeeded(await laptop.roost('verify'))).toContain('intact');
		const decision = succeeded(await laptop.roost('feed', agent.sessionId, '--json'))
			.split('\n')
			.find((line) => line.includes('"permission.decision"'));
		expect(JSON.parse(decision ?? '').event.data).toMatchObject({
			decision_type: 'allow',
			signed: { operation: 'asks.approve' },
		});
	});

	it('refuses a link that was used, and says what to do', async () => {
		await using hub = await startHubProcess();
		await using laptop = await startRunnerProcess();
		const link = await hub.invite();
		succeeded(await laptop.roost('join', link));
		await using other = await startRunnerProcess();
		const again = await other.roost('join', link);
		expect([again.code, again.stderr]).toEqual([expect.any(Number), expect.stringContaining('already used or has expired')]);
		expect(again.code).not.toBe(0);
		const broken = await other.roost('join', link.split('#')[0] ?? '');
		expect(broken.stderr).toContain('not a whole pairing link');
		const swapped = await other.roost('join', `${(await hub.invite()).split('&')[0]}&key=${'A'.repeat(43)}`);
		expect(swapped.stderr).toContain('Another hub answered');
	});
});

async function status(laptop: RunnerProcess, hub: HubProcess) {
	const listed = await laptop.roost('--hub', hub.url, 'runners', '--json');
	return runnerRow.array().parse(JSON.parse(succeeded(listed)))[0] ?? expect.fail('no runner');
}
