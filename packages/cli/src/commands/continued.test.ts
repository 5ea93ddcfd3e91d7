// A forked or resumed session shows the earlier conversation and names its source.
import type { SessionId } from '@roost/protocol/ids';
import { fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { openTui, pressUntil } from '@roost/testkit/rigs/tui/tui-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('fork of a fork', { timeout: 120_000 }, () => {
	it('shows the earlier conversations up to each fork, and names its parent', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const ended = (id: SessionId, runs: number) =>
			waitFor(
				async () => {
					const events = unwrap(await roost.api.feed.events({ id }));
					return events.filter(({ event }) => event.kind === 'run.end').length === runs || undefined;
				},
				{ what: `run ${runs} of ${id}` },
			);
		const first = await roost.startSession('read the route');
		await ended(first, 1);
		const { sessionId: second } = unwrap(await roost.api.sessions.fork({ commandId: 'c1', id: first }));
		unwrap(await roost.api.sessions.message({ commandId: 'c2', id: second, text: 'read the second part' }));
		await ended(second, 1);
		const { sessionId: third } = unwrap(await roost.api.sessions.fork({ commandId: 'c3', id: second }));
		unwrap(await roost.api.sessions.message({ commandId: 'c4', id: first, text: 'read what came later' }));
		unwrap(await roost.api.sessions.message({ commandId: 'c5', id: third, text: 'read the third part' }));
		await Promise.all([ended(first, 2), ended(third, 1)]);

		const [feed, shown, json, ofFirst] = await driveCli(
			[
				['feed', third],
				['sessions', 'show', third],
				['feed', third, '--json'],
				['feed', first],
			],
			{ cwd: roost.folder, env: roost.env },
		);
		const reported = [/❯ read the route/, `--- ${second} forked from ${first} ---`, /❯ read the second part/];
		const order = [...reported, `--- ${third} forked from ${second} ---`, /❯ read the third part/].map((what) =>
			feed?.stdout.search(what),
		);
		expect(order).toEqual(order.toSorted((a = 0, b = 0) => a - b));
		expect(order).not.toContain(-1);
		expect(feed?.stdout).not.toContain('what came later');
		expect(shown?.stdout).toMatch(new RegExp(`continues +forked from ${second}\n`));
		expect(json?.stdout).not.toContain('read the route');
		expect(ofFirst?.stdout).not.toContain('---');

		await using tui = openTui({ cwd: roost.folder, env: roost.env });
		await tui.waitForScreen(new RegExp(`${third} .* from ${second}`));
		await pressUntil(tui, 'g', (screen) => screen.includes('❯ read the route'));
		await tui.waitForScreen((screen) => screen.includes(`─── forked from ${first} ───`));
		tui.type('G');
		await tui.waitForScreen(
			(screen) =>
				screen.includes(`─── forked from ${second} ───`) &&
				screen.indexOf('read the second part') < screen.indexOf('read the third part'),
		);
	});
});
