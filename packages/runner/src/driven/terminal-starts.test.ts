import { sessionId } from '@roost/protocol/ids';
import { createEngineRig } from '@roost/testkit/rigs/engine-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { EndedTerminal } from './terminal-mode.ts';
import { watchTerminalStarts } from './terminal-starts.ts';

const SESSION = sessionId.parse('s1');

describe('a session on its way into a terminal', () => {
	it('failed where its program ends before its agent reports, and says what stood on the screen last', async () => {
		await using world = openWorld();
		world.starts.expect(SESSION);
		world.end(1, ['', '  one  ', 'two', '', 'three', 'four', '']);
		expect(await world.failure()).toBe('ended in its terminal before it began with exit code 1, saying: two three four');
	});

	it('is told of without a code where a signal ended it, without words where there are none, and cut where there are many', async () => {
		await using world = openWorld();
		world.starts.expect(SESSION);
		world.end(null, []);
		expect(await world.failure()).toBe('ended in its terminal before it began, without a word');
		world.starts.expect(SESSION);
		world.end(2, ['x'.repeat(1_000)]);
		expect(await world.failure()).toMatch(/saying: x{400}…$/);
	});

	it('has arrived once its agent reports, and then its end is nothing special', async () => {
		await using world = openWorld();
		world.starts.expect(SESSION);
		world.rig.runtime.emit({ hookName: 'SessionStart', payload: { source: 'resume' } });
		await waitFor(() => (world.rig.kinds().includes('session.start') ? true : undefined), {
			deadlineMs: 5_000,
			what: 'its start',
		});
		world.end(1, ['bye']);
		expect(world.failures).toEqual([]);
	});

	it('does not fail where somebody took it out of there, nor where it never was on its way', async () => {
		await using world = openWorld();
		world.end(1, []);
		world.starts.expect(SESSION);
		world.starts.forget(SESSION);
		world.end(1, []);
		expect(world.failures).toEqual([]);
	});
});

function openWorld() {
	const rig = createEngineRig();
	const handlers: ((ended: EndedTerminal) => void)[] = [];
	const failures: string[] = [];
	const starts = watchTerminalStarts({
		engine: rig.engine,
		terminal: { onEnd: (handler) => void handlers.push(handler) ?? (() => handlers.splice(0)) },
		onFailed: async (_id, why) => void failures.push(why),
	});
	return {
		rig,
		starts,
		failures,
		end(exitCode: number | null, screen: string[]) {
			for (const handler of handlers) handler({ session: SESSION, exitCode, readScreen: async () => screen });
		},
		/** Each is told once. */
		failure: () => waitFor(() => failures.shift(), { deadlineMs: 5_000, what: 'the failure' }),
		async [Symbol.asyncDispose]() {
			starts[Symbol.dispose]();
			await rig[Symbol.asyncDispose]();
		},
	};
}
