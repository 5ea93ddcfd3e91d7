// What the real Claude in a terminal of a runner does, as the runner tells it: by Claude's own status file.
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import { createGate } from '@roost/testkit/fakes/gate';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { openDrivenClaude } from '@roost/testkit/rigs/driven-claude';
import { tellStory } from '@roost/testkit/rigs/session-story';
import { openTui } from '@roost/testkit/rigs/tui-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const SOON = 40_000;

describe('what a claude in a terminal does', () => {
	it('is told as its own status file says it: idle, busy, idle, and nothing once it has ended', {
		timeout: 120_000,
	}, async () => {
		const gate = createGate();
		const script = async () => {
			await gate.opened;
			return message([say('Done.')]);
		};
		await using roost = await openDrivenClaude({ script });
		const { api } = roost;
		const body = { ...(await roost.describe()), mode: 'pty' as const };
		const session = tellStory(api, unwrap(await api.driving.create(crypto.randomUUID(), body)).sessionId);
		const read = async () => unwrap(await api.driving.describe(session.id)).agentStatus;
		const until = (status: AgentStatus['status'], source: AgentStatus['source']) =>
			waitFor(
				async () => {
					const now = await read();
					return now?.status === status && now.source === source ? now : undefined;
				},
				{ deadlineMs: SOON, what: `claude to be ${status} by ${source}`, seen: read },
			);

		// Nothing is guessed before it tells something.
		expect(await read()).toMatchObject({ status: 'unknown', source: 'none' });
		const ready = await until('idle', 'file');
		await using terminal = openTui({
			cwd: roost.claude.project,
			env: roost.env,
			args: ['attach', session.id],
			columns: 120,
			rows: 40,
		});
		await terminal.waitForScreen(/\? for shortcuts/, SOON);
		terminal.type('apple');
		await terminal.waitForScreen(/apple/, SOON);
		terminal.type('\r');
		const busy = await until('busy', 'file');
		expect(busy.asOf).toBeGreaterThan(ready.asOf);
		gate.open();
		await terminal.waitForScreen(/Done\./, SOON);
		expect((await until('idle', 'file')).asOf).toBeGreaterThan(busy.asOf);
		await session.end();
		await waitFor(async () => ((await session.row()).status === 'ended' ? true : undefined), {
			deadlineMs: SOON,
			what: 'the session to be over',
			seen: session.row,
		});
		expect(await read()).toBeUndefined();
	});
});
