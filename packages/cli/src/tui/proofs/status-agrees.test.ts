// The status of a session is the same in every face, even where the real claude reports nothing: after Esc, and in its own dialog.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { callTool, hang, say } from '@roost/testkit/fakes/model-reply';
import { openRoostClaude, type RoostClaude } from '@roost/testkit/rigs/agents/claude-terminal';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { reachRoost } from '@roost/testkit/rigs/runner/runner-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

/** Generous for a busy machine. */
const SOON = 120_000;
const ASK_MS = 5_000;
/** The default timeout of an ask. */
const HALF_AN_HOUR = 1_800_000;

describe.skipIf(cannotRun([claude(), program('tmux')]))('status of the real claude', { timeout: 240_000 }, () => {
	it('shows an expired request as still open in Claude everywhere, until it is answered there', async () => {
		const wait = 'touch started; until [ -e go ]; do sleep 0.1; done';
		await using world = await openRoostClaude(
			{ 'paint the shed': [[callTool('Bash', { command: wait, description: 'Wait' })], [say('Painted.')]] },
			{ config: { sdk: { approvalTimeoutMs: ASK_MS } } },
		);
		const faces = await openFaces(world);
		await world.prompt('paint the shed');
		await faces.agree('expired, still open in Claude', 'waiting');
		expect(await faces.askTimes()).toEqual([ASK_MS]);
		await world.answerDialog('Enter');
		await faces.agree('working', 'working');
		await writeFile(join(world.project, 'go'), '');
		world.next();
		await world.agent.waitForScreen(/Painted\./, SOON);
		await faces.agree('idle', 'idle');
	});

	it('is idle everywhere after Esc, pressed while working or in a permission dialog', async () => {
		await using world = await openRoostClaude({
			'paint the shed': [hang()],
			'hang a sign': [[callTool('Bash', { command: 'touch sign', description: 'Hang it' })]],
		});
		const faces = await openFaces(world);
		await world.prompt('paint the shed');
		await faces.agree('working', 'working');
		await world.agent.key('Escape');
		await faces.agree('idle (the last run was interrupted)', 'idle');

		await world.agent.key('C-u');
		await world.prompt('hang a sign');
		await faces.agree('waiting for you', 'waiting');
		expect(await faces.askTimes()).toEqual([HALF_AN_HOUR]);
		await world.answerDialog('Escape');
		await faces.agree('idle (the last run was interrupted)', 'idle');
	});
});

async function openFaces(world: RoostClaude) {
	const ui = await world.open();
	await ui.waitForScreen(/live/, SOON);
	const roost = await reachRoost(world.env.ROOST_HOME ?? '');
	const json = async (path: string) => JSON.parse((await roost.call('GET', path)).body);
	const id = async () => (await json('/api/v1/sessions'))[0]?.id ?? '';

	async function printed(): Promise<Record<string, string>> {
		const session = await id();
		const place = { cwd: world.project, env: { ...world.env } };
		const [list, shown] = await driveCli([['sessions'], ['sessions', 'show', session]], place);
		const screen = await ui.screen();
		return {
			list: list?.stdout.split('\n')[1]?.split(/ {2,}/)[2] ?? '',
			detail: /^status +(.*), \d+\w ago/m.exec(shown?.stdout ?? '')?.[1] ?? '',
			header: /^ \S (.*?) \d+[smh]/.exec(screen.split('\n')[1] ?? '')?.[1] ?? '',
			api: (await json(`/api/v1/sessions/${session}`)).status ?? '',
			overview: (await json('/api/v1/overview')).sessions[0]?.status ?? '',
		};
	}

	return {
		/** The timeout of each ask, from the facts that opened them. */
		async askTimes(): Promise<number[]> {
			const events: { event: FeedEvent }[] = await json(`/api/v1/sessions/${await id()}/events?limit=1000`);
			return events.flatMap(({ event: { ts, ...event } }) =>
				event.kind === 'permission.request' ? [(event.data.expires_at ?? 0) - ts] : [],
			);
		},
		/** Every face shows it at the same time. */
		async agree(words: string, status: string) {
			const expected = { list: words, detail: words, header: words, api: status, overview: status };
			let last: Record<string, string> = {};
			await waitFor(
				async () => {
					last = await printed();
					return JSON.stringify(last) === JSON.stringify(expected) ? true : undefined;
				},
				{
					deadlineMs: SOON,
					everyMs: 200,
					what: `every face to show ${words}`,
					seen: async () => `${JSON.stringify(last)}\n${await ui.screen()}\n${await world.agent.screen()}`,
				},
			);
		},
	};
}
