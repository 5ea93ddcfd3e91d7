import { isRunning } from '@roost/testkit/rigs/live-processes';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { realTimers } from '../timers.ts';
import { type ProcessEnd, startLineProcess } from './line-process.ts';

/** A launcher, as npm installs them: what it starts is the program itself, which does not care whether anybody listens. */
const LAUNCHER = 'sleep 600 </dev/null & echo $!; wait';

function launch() {
	const lines: string[] = [];
	const ends: ProcessEnd[] = [];
	const launched = startLineProcess({
		argv: ['sh', '-c', LAUNCHER],
		cwd: '/',
		env: { PATH: process.env.PATH ?? '' },
		timers: realTimers,
		onLine: (line) => lines.push(line),
		onOversize: () => {},
		onEnd: (end) => ends.push(end),
	});
	const started = () => waitFor(() => lines.map(Number)[0], { deadlineMs: 10_000, what: 'its program' });
	return { launched, started, ends };
}

describe('a process behind a launcher', () => {
	it('ends with it', async () => {
		const { launched, started, ends } = launch();
		const pid = await started();
		expect(await isRunning(pid)).toBe(true);
		launched.end(0);
		await waitFor(async () => ((await isRunning(pid)) ? undefined : true), { deadlineMs: 10_000, what: 'it to be gone' });
		await waitFor(() => ends[0], { deadlineMs: 10_000, what: 'the end to be told' });
		expect(ends).toEqual([{ type: 'exit', code: null, signal: 'SIGTERM' }]);
	});
});
