// The status of the real Claude in a terminal of a runner, from Claude's own status file.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import { describe, expect, it } from 'vitest';
import { createGate } from '../fakes/gate.ts';
import { message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { needProgram } from '../rigs/agents/agent-programs.ts';
import { openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { reportStory } from '../rigs/runner/session-story.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { openTui } from '../rigs/tui/tui-rig.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const SOON = 120_000;
const ESCAPE = '\x1b';
/** Claude starts a conversation only once that file exists. */
const ONCE_THERE = 'case "$*" in *--session-id=*) until [ -e "$0" ]; do sleep 0.1; done ;; esac; exec "$@"';

describe('status of claude in a terminal', () => {
	it('follows its status file, even if no hook fires, and is gone once it ended', {
		// A wait that is too long says what it waited for.
		timeout: 3 * SOON,
	}, async () => {
		const gate = createGate();
		const script: Script = async ({ messages }) => {
			if (JSON.stringify(messages).includes('pear')) return { kind: 'hang' };
			await gate.opened;
			return message([say('Done.')]);
		};
		await using temp = await createTempDir();
		const go = join(temp.path, 'go');
		const command = ['/bin/sh', '-c', ONCE_THERE, go, needProgram('claude')];
		await using roost = await openDrivenClaude({ script, config: { agents: { claude: { command } } } });
		const { api } = roost;
		const body = { ...(await roost.describe()), mode: 'pty' as const };
		const session = reportStory(api, unwrap(await api.sessions.create({ commandId: crypto.randomUUID(), ...body })).sessionId);
		const read = async () => unwrap(await api.record.session({ id: session.id })).agentStatus;
		const untilFileSays = (status: AgentStatus['status']) =>
			waitFor(
				async () => {
					const now = await read();
					return now?.status === status && now.source === 'file' ? now : undefined;
				},
				{ deadlineMs: SOON, what: `its status file to say ${status}`, seen: read },
			);

		// The status is unknown until the first report.
		expect(await read()).toMatchObject({ status: 'unknown', source: 'none' });
		await writeFile(go, '');
		const ready = await untilFileSays('idle');
		const args = ['attach', session.id];
		await using terminal = openTui({ cwd: roost.claude.project, env: roost.env, args, columns: 120, rows: 40 });
		await terminal.waitForScreen(/\? for shortcuts/, SOON);
		const prompt = async (text: string) => {
			terminal.type(text);
			await terminal.waitForScreen((screen) => screen.includes(text), SOON);
			// Pressed again if it was lost: without a text it does nothing.
			const busy = async () => {
				const now = await read();
				if (now?.status === 'busy' && now.source === 'file') return now;
				terminal.type('\r');
				return undefined;
			};
			return await waitFor(busy, {
				deadlineMs: SOON,
				everyMs: 5_000,
				what: `its status file to say busy after "${text}"`,
				seen: read,
			});
		};

		const busy = await prompt('apple');
		expect(busy.asOf).toBeGreaterThan(ready.asOf);
		gate.open();
		await terminal.waitForScreen(/Done\./, SOON);
		expect((await untilFileSays('idle')).asOf).toBeGreaterThan(busy.asOf);

		await prompt('pear');
		await session.until('run.start', 2);
		terminal.type(ESCAPE);
		await untilFileSays('idle');
		await waitFor(async () => ((await session.row()).status === 'idle' ? true : undefined), {
			deadlineMs: SOON,
			what: 'the record to match',
			seen: session.row,
		});
		expect(await session.row()).toMatchObject({ lastRun: 'aborted' });

		await session.end();
		await waitFor(async () => ((await session.row()).status === 'ended' ? true : undefined), {
			deadlineMs: SOON,
			what: 'the session to be over',
			seen: session.row,
		});
		expect(await read()).toBeUndefined();
	});
});
