import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionRow } from '@roost/protocol/session-row';
import { sampleSession } from '@roost/testkit/rigs/sample-append';
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
	const read = createAgentStatus({
		env: { HOME: temp.path },
		agents: { claude: { env: { HOME: join(temp.path, 'other-home') } } },
		terminals: { screenOf: () => terminal },
		now: () => NOW,
	});
	return {
		show(lines: readonly string[], openedAt = 0) {
			terminal = { lines, openedAt };
		},
		writeFile: (where: 'usual' | 'configured', over: object) =>
			writeFile(
				join(where === 'usual' ? usual : configured, 'sessions', `${process.pid}.json`),
				JSON.stringify({ pid: process.pid, statusUpdatedAt: 5, ...over }),
			),
		read: (over: Partial<SessionRow> = {}) => {
			const nativeIds = [{ id: 'n1', reason: 'startup', since: 0 } as const];
			return read(sampleSession('k3f9', { agent: 'claude', status: 'idle', nativeIds, lastEventAt: NOW - 9_000, ...over }));
		},
		[Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
	};
}

describe('what a claude does', () => {
	it.each(['usual', 'configured'] as const)(
		'is what its status file in the %s folder says, whatever else is told',
		async (where) => {
			await using world = await createWorld();
			await world.writeFile(where, { sessionId: 'n1', status: 'waiting', waitingFor: 'permission prompt' });
			world.show(IDLE_SCREEN);
			expect(await world.read({ status: 'working' })).toEqual({
				status: 'waiting',
				waitingFor: 'permission prompt',
				source: 'file',
				asOf: 5,
			});
		},
	);

	it.each([
		['working', 'busy'],
		['waiting', 'waiting'],
		['idle', 'idle'],
		['interrupted', 'idle'],
	] as const)('is what its hooks told where it keeps no file: %s', async (status, said) => {
		await using world = await createWorld();
		await world.writeFile('usual', { sessionId: 'of another', status: 'busy' });
		expect(await world.read({ status })).toEqual({ status: said, source: 'hooks', asOf: NOW - 9_000 });
	});

	it('is what its screen says where that contradicts older hooks', async () => {
		await using world = await createWorld();
		world.show(IDLE_SCREEN);
		expect(await world.read({ status: 'working' })).toEqual({ status: 'idle', source: 'screen', asOf: NOW });
		world.show(['some words']);
		expect(await world.read({ status: 'working' })).toMatchObject({ status: 'busy', source: 'hooks' });
	});

	it('is unknown while one starts in a terminal: what was told before, another had told', async () => {
		await using world = await createWorld();
		world.show(['starting'], NOW - 9_000);
		expect(await world.read()).toEqual({ status: 'unknown', source: 'none', asOf: NOW });
		world.show(BUSY_SCREEN, NOW - 9_000);
		expect(await world.read()).toEqual({ status: 'busy', source: 'screen', asOf: NOW });
	});

	it('is nothing once the session has ended, nor of an agent that is no claude', async () => {
		await using world = await createWorld();
		await world.writeFile('usual', { sessionId: 'n1', status: 'busy' });
		expect(await world.read({ status: 'ended' })).toBeUndefined();
		expect(await world.read({ agent: 'mock' })).toBeUndefined();
	});
});
