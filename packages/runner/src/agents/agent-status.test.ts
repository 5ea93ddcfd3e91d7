import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatusEvidence } from '@roost/agents/base/status-source';
import type { SessionRow } from '@roost/protocol/session-row';
import { sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import type { TerminalScreen } from '../terminals/terminals.ts';
import { createAgentStatus } from './agent-status.ts';

const NOW = 1_000_000;
const RULE = '─'.repeat(40);
const IDLE_SCREEN = [RULE, '❯ ', RULE, '  ? for shortcuts'];
const BUSY_SCREEN = [RULE, '❯ ', RULE, '  esc to interrupt'];

async function createWorld() {
	const temp = await createTempDir();
	const usual = join(temp.path, '.claude');
	const configured = join(temp.path, 'other-home', '.claude');
	await Promise.all([usual, configured].map((folder) => mkdir(join(folder, 'sessions'), { recursive: true })));
	let terminal: TerminalScreen | null = null;
	let reported: StatusEvidence | null = null;
	const read = createAgentStatus({
		env: { HOME: temp.path },
		agents: { claude: { env: { HOME: join(temp.path, 'other-home') } } },
		reports: { last: () => reported },
		terminals: { screenOf: () => terminal },
		now: () => NOW,
	});
	return {
		show(lines: readonly string[], openedAt = 0) {
			terminal = { lines, openedAt };
		},
		report(status: StatusEvidence['status'], at = NOW - 9_000) {
			reported = { status, at };
		},
		writeFile: (where: 'usual' | 'configured', over: object) =>
			writeFile(
				join(where === 'usual' ? usual : configured, 'sessions', `${process.pid}.json`),
				JSON.stringify({ pid: process.pid, statusUpdatedAt: 5, ...over }),
			),
		read: (over: Partial<SessionRow> = {}) => {
			const nativeIds = [{ id: 'n1', reason: 'startup', since: 0 } as const];
			return read(sampleSession('k3f9', { agent: 'claude', status: 'idle', nativeIds, lastEventAt: NOW - 1, ...over }));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}

describe('claude status', () => {
	it.each(['usual', 'configured'] as const)(
		'is read from the status file in the %s folder before any other source',
		async (where) => {
			await using world = await createWorld();
			await world.writeFile(where, { sessionId: 'n1', status: 'waiting', waitingFor: 'permission prompt' });
			world.show(IDLE_SCREEN);
			world.report('busy');
			expect(await world.read()).toEqual({
				status: 'waiting',
				waitingFor: 'permission prompt',
				source: 'file',
				asOf: 5,
			});
		},
	);

	it('comes from its hooks if there is no status file, with their time', async () => {
		await using world = await createWorld();
		await world.writeFile('usual', { sessionId: 'of another', status: 'busy' });
		world.report('waiting');
		expect(await world.read({ status: 'idle' })).toEqual({ status: 'waiting', source: 'hooks', asOf: NOW - 9_000 });
	});

	it('is unknown without any source, regardless of the record', async () => {
		await using world = await createWorld();
		for (const status of ['idle', 'working', 'waiting'] as const)
			expect(await world.read({ status })).toEqual({ status: 'unknown', source: 'none', asOf: NOW });
	});

	it('comes from its screen if that contradicts older hooks', async () => {
		await using world = await createWorld();
		world.report('busy');
		world.show(IDLE_SCREEN);
		expect(await world.read()).toEqual({ status: 'idle', source: 'screen', asOf: NOW });
		world.show(['some words']);
		expect(await world.read()).toMatchObject({ status: 'busy', source: 'hooks' });
	});

	it('is unknown while it starts in a terminal, because earlier reports are from another process', async () => {
		await using world = await createWorld();
		world.report('idle');
		world.show(['starting'], NOW - 8_000);
		expect(await world.read()).toEqual({ status: 'unknown', source: 'none', asOf: NOW });
		world.show(BUSY_SCREEN, NOW - 8_000);
		expect(await world.read()).toEqual({ status: 'busy', source: 'screen', asOf: NOW });
		world.report('idle', NOW - 7_000);
		world.show(['started'], NOW - 8_000);
		expect(await world.read()).toMatchObject({ status: 'idle', source: 'hooks' });
	});

	it('is undefined if its agent exited during a run, unless another process has the conversation open', async () => {
		await using world = await createWorld();
		world.report('busy');
		expect(await world.read({ status: 'interrupted' })).toBeUndefined();
		await world.writeFile('usual', { sessionId: 'n1', status: 'idle' });
		expect(await world.read({ status: 'interrupted' })).toMatchObject({ status: 'idle', source: 'file' });
	});

	it('is undefined once the session has ended, or for another agent', async () => {
		await using world = await createWorld();
		await world.writeFile('usual', { sessionId: 'n1', status: 'busy' });
		expect(await world.read({ status: 'ended' })).toBeUndefined();
		expect(await world.read({ agent: 'mock' })).toBeUndefined();
	});
});
