// Past sessions in the terminal UI, over a real runner and transcripts in Claude's format.
import { join } from 'node:path';
import { createPastClaude, pastAnswer, pastPrompt } from '@roost/testkit/rigs/agents/past-claude';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { samplePast } from '@roost/testkit/rigs/tui/sample-world';
import { pause, waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { Notice } from './notice.ts';
import { watchPast } from './past-watch.ts';
import type { OpenSession, PastSessions } from './world.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

function openWatch({ api, folder }: Pick<RunnerRig, 'api' | 'folder'>, now = () => 7) {
	const reported: PastSessions[] = [];
	const noticed: Notice[] = [];
	const watch = watchPast({
		api: api.projects,
		project: { path: folder },
		now,
		pause,
		notify: (notice) => noticed.push(notice),
		onChange: ({ past }) => reported.push(past),
	});
	return { watch, sent: reported, noticed };
}

async function addPast({ folder }: RunnerRig, rounds: number): Promise<void> {
	const past = await createPastClaude(join(folder, '..', '.claude'));
	const lines = Array.from({ length: rounds }, (_, at) => [pastPrompt(`Mend ${at}`), pastAnswer(`Mended ${at}.`)]).flat();
	await past.add({ cwd: folder, id: NATIVE, lines });
}

describe('past sessions of this project', () => {
	it('are found before the first scan, and concurrent reads share one scan', async () => {
		await using roost = await startRunner();
		await addPast(roost, 1);
		const { watch, sent: reported } = openWatch(roost);
		const both = [watch.read(), watch.read()];
		expect(reported).toEqual([{ sessions: [], looking: true, readAt: 0 }]);
		await Promise.all(both);
		expect(reported).toHaveLength(2);
		expect(reported.at(-1)).toMatchObject({ looking: false, readAt: 7, sessions: [{ nativeId: NATIVE, title: 'Mend 0' }] });
	});

	it('are empty if the project has none', async () => {
		await using roost = await startRunner();
		const { watch, sent: reported, noticed } = openWatch(roost);
		await watch.read();
		expect(reported.at(-1)).toEqual({ sessions: [], looking: false, readAt: 7 });
		expect(noticed).toEqual([]);
	});

	it('are rescanned only after some time', async () => {
		await using roost = await startRunner();
		const { projects } = roost.api;
		let scans = 0;
		let now = Date.now();
		const scan = () => {
			scans += 1;
			return projects.scan();
		};
		const { watch } = openWatch({ ...roost, api: { ...roost.api, projects: { ...projects, scan } } }, () => now);
		await watch.read();
		await watch.read();
		expect(scans).toBe(1);
		now += 120_000;
		await watch.read();
		expect(scans).toBe(2);
	});

	it('report why they cannot be loaded, and keep the known list', async () => {
		await using roost = await startRunner();
		await addPast(roost, 1);
		const { watch, sent: reported, noticed } = openWatch(roost);
		await watch.read();
		await roost.end();
		await watch.read();
		expect(noticed).toHaveLength(1);
		expect(reported.at(-1)).toMatchObject({ looking: false, sessions: [{ nativeId: NATIVE }] });
	});
});

describe('open past session', () => {
	it('is loaded completely, page by page, and not recorded', async () => {
		await using roost = await startRunner();
		await addPast(roost, 200);
		const { watch, sent: reported } = openWatch(roost);
		await watch.read();
		const [session = samplePast()] = reported.at(-1)?.sessions ?? [];
		const opens: OpenSession[] = [];
		const follow = watch.follow(session, (open) => opens.push(open));
		expect(follow.open()).toMatchObject({ past: session, loading: { read: 0 } });
		await waitFor(() => (follow.open().loading === null ? true : undefined), { what: 'the end' });
		expect(opens.length).toBeGreaterThan(1);
		expect(follow.open().feed.end).toBeGreaterThan(600);
		expect(follow.open().view.summary.title).toBe('Mend 0');
		expect(await roost.api.record.sessions()).toEqual({ ok: true, value: [] });
	});

	it('receives no more updates once it is closed', async () => {
		await using roost = await startRunner();
		await addPast(roost, 1);
		const { watch } = openWatch(roost);
		await watch.read();
		const opens: OpenSession[] = [];
		const follow = watch.follow(samplePast({ nativeId: NATIVE }), (open) => opens.push(open));
		follow.end();
		const other = watch.follow(samplePast({ nativeId: NATIVE }), () => {});
		await waitFor(() => (other.open().loading === null ? true : undefined), { what: 'the other' });
		expect(opens).toEqual([]);
	});

	it('reports why it cannot be read', async () => {
		await using roost = await startRunner();
		await addPast(roost, 1);
		const { watch, noticed } = openWatch(roost);
		await watch.read();
		const follow = watch.follow(samplePast({ nativeId: '7a1d3c52-0000-4000-8000-000000000002' }), () => {});
		await waitFor(() => (follow.open().loading === null ? true : undefined), { what: 'the end' });
		expect(noticed).toEqual([{ type: 'failed', message: expect.stringContaining('Past session not found') }]);
	});
});
