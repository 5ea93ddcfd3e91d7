import { sessionId } from '@roost/protocol/ids';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { watchTerminalStarts } from './session-controls.ts';
import type { EndedTerminal } from './terminal-mode.ts';

const SESSION = sessionId.parse('s1');

describe('session being moved to a terminal', () => {
	it('fails with the end of the screen if its program exits before its agent reports', async () => {
		await using world = openWorld();
		world.starts.expect(SESSION);
		world.end(1, ['', '  one  ', 'two', '', 'three', 'four', '']);
		expect(await world.failure()).toBe(
			'exited in its terminal before it started with exit code 1, with the output: two three four',
		);
	});

	it('reports no exit code after a signal, no output if there is none, and truncated output', async () => {
		await using world = openWorld();
		world.starts.expect(SESSION);
		world.end(null, []);
		expect(await world.failure()).toBe('exited in its terminal before it started, without output');
		world.starts.expect(SESSION);
		world.end(2, ['x'.repeat(1_000)]);
		expect(await world.failure()).toMatch(/output: x{400}…$/);
	});

	it('no longer fails once its agent has reported', async () => {
		await using world = openWorld();
		world.starts.expect(SESSION);
		world.rig.runtime.emit({ hookName: 'SessionStart', payload: { source: 'resume' } });
		await waitFor(() => (world.rig.kinds().includes('session.start') ? true : undefined), {
			what: 'its start',
		});
		world.end(1, ['bye']);
		expect(await world.failsNext(7)).toContain('exit code 7');
	});

	it('does not fail if it was moved back or was never starting', async () => {
		await using world = openWorld();
		world.end(1, []);
		world.starts.expect(SESSION);
		world.starts.forget(SESSION);
		world.end(1, []);
		expect(await world.failsNext(7)).toContain('exit code 7');
	});
});

function openWorld() {
	const rig = createEngineRig();
	const handlers = new Set<(ended: EndedTerminal) => void>();
	const failures: string[] = [];
	const starts = watchTerminalStarts({
		engine: rig.engine,
		terminal: {
			onEnd(handler) {
				handlers.add(handler);
				return () => handlers.delete(handler);
			},
		},
		onFailed: async (_id, why) => void failures.push(why),
	});
	function end(exitCode: number | null, screen: string[]): void {
		for (const handler of handlers) handler({ session: SESSION, exitCode, readScreen: async () => screen });
	}
	/** Each failure is reported once. */
	const failure = () => waitFor(() => failures.shift(), { what: 'the failure' });
	return {
		rig,
		starts,
		end,
		failure,
		/** The next reported failure, caused by a start that is known to fail. */
		async failsNext(exitCode: number) {
			starts.expect(SESSION);
			end(exitCode, []);
			return await failure();
		},
		async [Symbol.asyncDispose]() {
			starts[Symbol.dispose]();
			await rig[Symbol.asyncDispose]();
		},
	};
}
