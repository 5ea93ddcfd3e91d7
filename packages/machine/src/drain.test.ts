import { EventEmitter } from 'node:events';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createDrain, type DrainStep } from './drain.ts';

describe('draining', () => {
	it.each([
		['SIGTERM', 0],
		['SIGINT', 130],
		['SIGHUP', 0],
	] as const)('on %s runs the steps in order, one at a time, and returns exit code %d', async (name, code) => {
		const done: string[] = [];
		const first = Promise.withResolvers<void>();
		const rig = createRig([
			{ name: 'no new asks', run: () => first.promise.then(() => void done.push('asks')) },
			{ name: 'log', run: () => void done.push('log') },
		]);
		rig.signals.emit(name, name);
		expect(done).toEqual([]);
		first.resolve();
		expect(await rig.drain.ended).toBe(code);
		expect(done).toEqual(['asks', 'log']);
		expect(rig.timers.waiting()).toBe(0);
	});

	it('can be started without a signal, and runs only once', async () => {
		let runs = 0;
		const rig = createRig([{ name: 'log', run: () => void runs++ }]);
		rig.drain.start();
		rig.drain.start();
		expect(await rig.drain.ended).toBe(0);
		rig.drain.start();
		expect(runs).toBe(1);
	});

	it('continues after a failed step, and reports it', async () => {
		const done: string[] = [];
		const rig = createRig([
			{ name: 'sockets', run: () => Promise.reject(new Error('stuck')) },
			{
				name: 'hooks',
				run: () => {
					throw new Error('at once');
				},
			},
			{ name: 'log', run: () => void done.push('log') },
		]);
		rig.drain.start();
		expect(await rig.drain.ended).toBe(1);
		expect(done).toEqual(['log']);
		expect(rig.problems).toEqual(['Shutdown failed while sockets: stuck.', 'Shutdown failed while hooks: at once.']);
	});

	it('reports every cause of a failed step', async () => {
		const close = async () => {
			await using stack = new AsyncDisposableStack();
			for (const name of ['socket', 'lock']) stack.defer(() => Promise.reject(new Error(`${name} is stuck.`)));
		};
		const rig = createRig([{ name: 'closing', run: close }]);
		rig.drain.start();
		expect(await rig.drain.ended).toBe(1);
		expect(rig.problems).toEqual([
			'Shutdown failed while closing: lock is stuck.',
			'Shutdown failed while closing: socket is stuck.',
		]);
	});

	it('ends after five seconds in total, and reports the step that hangs', async () => {
		const first = Promise.withResolvers<void>();
		const reached = Promise.withResolvers<void>();
		const rig = createRig([
			{ name: 'asks', run: () => first.promise },
			{
				name: 'sockets',
				run: () => {
					reached.resolve();
					return new Promise(() => {});
				},
			},
		]);
		rig.drain.start();
		rig.timers.advance(4_000);
		first.resolve();
		await reached.promise;
		rig.timers.advance(999);
		expect(rig.problems).toEqual([]);
		rig.timers.advance(1);
		expect(await rig.drain.ended).toBe(1);
		expect(rig.problems).toEqual(['Shutdown timed out after 5000 ms while sockets.']);
	});

	it.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
	] as const)('exits immediately on a second signal, with %s as exit code %d', (name, code) => {
		const rig = createRig([{ name: 'sockets', run: () => new Promise(() => {}) }]);
		rig.signals.emit('SIGTERM', 'SIGTERM');
		expect(rig.exits).toEqual([]);
		rig.signals.emit(name, name);
		expect(rig.exits).toEqual([code]);
	});

	it('exits immediately on the first signal if it was started without one', () => {
		const rig = createRig([{ name: 'sockets', run: () => new Promise(() => {}) }]);
		rig.drain.start();
		rig.signals.emit('SIGINT', 'SIGINT');
		expect(rig.exits).toEqual([130]);
	});

	it('ignores signals when disposed', () => {
		const rig = createRig([]);
		rig.drain[Symbol.dispose]();
		expect(rig.signals.eventNames()).toEqual([]);
	});
});

describe('draining a real process', () => {
	it('exits with code 0 after the last step', async () => {
		await using world = await createProcess("[{ name: 'log', run: () => process.stdout.write('flushed') }]");
		world.program.signal('SIGTERM');
		expect(await world.program.waitForExit(60_000)).toMatchObject({ code: 0, stdout: 'up flushed' });
	});

	it('exits immediately on a second signal', async () => {
		await using world = await createProcess(
			"[{ name: 'sockets', run: () => { process.stdout.write('draining'); return new Promise(() => {}); } }]",
		);
		world.program.signal('SIGINT');
		await waitFor(() => world.program.output().stdout.includes('draining') || undefined, {
			what: 'the drain to begin',
		});
		world.program.signal('SIGTERM');
		expect(await world.program.waitForExit(60_000)).toMatchObject({ code: 143 });
	});
});

function createRig(steps: readonly DrainStep[]) {
	const timers = createManualTimers();
	const signals = new EventEmitter();
	const exits: number[] = [];
	const problems: string[] = [];
	const drain = createDrain(steps, {
		timers,
		signals,
		exit: (code) => exits.push(code),
		onProblem: (message) => problems.push(message),
	});
	return { timers, signals, exits, problems, drain };
}

async function createProcess(steps: string) {
	const temp = await createTempDir();
	const script = `import { createDrain } from ${JSON.stringify(import.meta.resolve('./drain.ts'))};
		import { realTimers } from ${JSON.stringify(import.meta.resolve('@roost/machine/timers'))};
		setInterval(() => {}, 1e6);
		const drain = createDrain(${steps}, { timers: realTimers, exit: (code) => process.exit(code), onProblem: console.error });
		process.stdout.write('up ');
		process.exit(await drain.ended);`;
	const argv = [process.execPath, '--conditions=source', '--input-type=module', '--eval', script] as const;
	const program = await startProgram(argv, { cwd: temp.path, env: {} });
	await waitFor(() => program.output().stdout || undefined, { what: 'the process', seen: program.output });
	return {
		program,
		async [Symbol.asyncDispose]() {
			await program.kill();
			await temp[Symbol.asyncDispose]();
		},
	};
}
