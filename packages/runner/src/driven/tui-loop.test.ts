// The loop for agents in their own terminal, with a scripted program in a real tmux that behaves well and badly.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeTuiScenario } from '@roost/testkit/fakes/fake-tui';
import { createFakeTuiAgent, type FakeTuiOptions } from '@roost/testkit/rigs/agents/fake-tui-agent';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createOwnTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openTui } from './tui-loop.ts';
import { realTuiClock, type TuiClock, type TuiLimits } from './tui-watch.ts';

/** `keyMs` is only waited for where keys are lost; a shorter one would send them twice to a program on a busy machine. */
const LIMITS: Partial<TuiLimits> = { lookEveryMs: 20, calmMs: 60, keyMs: 10_000, startMs: 15_000, turnMs: 15_000 };

describe.skipIf(cannotRun([program('tmux')]))('agent in its own terminal', { timeout: 120_000, concurrent: true }, () => {
	it('passes its dialogs, gets its first prompt unchanged, and is followed until it is ready again', async () => {
		await using world = await openWorld({ slowMs: 100, dialogs: ['trust', 'key'], worksUntil: 'finished' });
		const beacon = 'Mend the henhouse; $(touch x) `y` "z"\n\tthen paint it 漢字 👩‍🚀\nC-c Enter';
		await using agent = unwrap(await world.open(beacon));
		expect(world.received()).toEqual([{ answered: 'trust' }, { answered: 'key' }, { prompt: beacon }]);
		expect(unwrap(await agent.state())).toBe('working');
		world.finish();
		unwrap(await agent.untilReady());
		expect(unwrap(await agent.state())).toBe('ready');
		unwrap(await agent.prompt('and now?'));
		unwrap(await agent.untilReady());
		expect(world.received().at(-1)).toEqual({ prompt: 'and now?' });
	});

	it('gets prompts one after the other, each when it is ready', async () => {
		await using world = await openWorld({ workMs: 150 });
		await using agent = unwrap(await world.open());
		const all = ['one', 'two', 'three'];
		for (const given of await Promise.all(all.map((text) => agent.prompt(text)))) unwrap(given);
		expect(world.received()).toEqual(all.map((prompt) => ({ prompt })));
	});

	it.each([
		['with any text in its input line', /^READY>/m],
		['only with an empty input line', /^READY>\s*$/m],
	])('gets its first prompt again if the paste or the enter key was lost, but only once: ready %s', async (_, readyWhen) => {
		// Long enough that a slow program does not get the prompt twice.
		await using world = await openWorld({ swallowPastes: 1, swallowEnters: 1 }, { readyWhen, limits: { keyMs: 2_000 } });
		await using agent = unwrap(await world.open('wake up'));
		unwrap(await agent.untilReady());
		expect(world.received()).toEqual([{ prompt: 'wake up' }]);
	});

	it('gets no retry if it is known to accept the first prompt reliably', async () => {
		await using world = await openWorld({ swallowEnters: 1 }, { verifies: false, limits: { keyMs: 400 } });
		await using agent = unwrap(await world.open('wake up'));
		expect(unwrap(await agent.state())).toBe('ready');
		expect(world.received()).toEqual([]);
	});

	it('has accepted a prompt when it reports so, regardless of its screen', async () => {
		await using world = await openWorld({ swallowEnters: 100 });
		await using agent = unwrap(await world.open());
		const given = agent.prompt('wake up');
		await waitFor(async () => ((await world.screen()).includes('READY> wake up') ? true : undefined), {
			what: 'the prompt to be shown',
		});
		agent.noteTaken();
		unwrap(await given);
	});

	it('gets no key press in a dialog that appears after its first prompt', async () => {
		await using world = await openWorld({ lateDialog: 'trust' });
		await using asking = unwrap(await world.open('wake up'));
		expect(unwrap(await asking.state())).toBe('dialog');
		expect(world.received()).toEqual([{ prompt: 'wake up' }]);
	});

	it('gets no key press for a question during its work', async () => {
		await using world = await openWorld({ askInTurn: true, workMs: 50 });
		await using agent = unwrap(await world.open('wake up'));
		await waitFor(async () => ((await world.screen()).includes('MAY I?') ? true : undefined), {
			what: 'the question',
		});
		expect(unwrapError(await agent.untilReady(1_000))).toMatchObject({
			code: 'timed_out',
			message: expect.stringMatching(/^Fake agent is not ready for the next prompt after 1 seconds\. .*MAY I\?/),
		});
		expect(world.received()).toEqual([{ prompt: 'wake up' }]);
	});

	it('gets a second key press for a dialog that ignored the first', async () => {
		await using world = await openWorld({ dialogs: ['trust'], deafDialogs: 2 }, { limits: { keyMs: 1_000 } });
		await using _ = unwrap(await world.open());
		expect(world.received()).toEqual([{ answered: 'trust' }]);
	});

	it('rejects an empty prompt and strips control characters', async () => {
		await using world = await openWorld({});
		await using agent = unwrap(await world.open());
		expect(unwrapError(await agent.prompt(' \n\u001b'))).toMatchObject({ code: 'bad_request' });
		unwrap(await agent.prompt('a\u001b[201~\rb\u0003'));
		unwrap(await agent.untilReady());
		expect(world.received()).toEqual([{ prompt: 'a[201~\nb' }]);
	});
});

describe.skipIf(cannotRun([program('tmux')]))(
	'agent that does not reach its prompt',
	{ timeout: 120_000, concurrent: true },
	() => {
		const failures: [string, Partial<FakeTuiScenario>, RegExp, WorldOptions?][] = [
			['crashes', { start: 'crash' }, /^Fake agent ended with exit code 3\. Its screen ends with: cannot read its settings$/],
			[
				'hangs',
				{ start: 'hang' },
				/^Fake agent was not ready for a prompt within 1 seconds\. Its screen is empty\.$/,
				{ limits: { startMs: 1_000 }, timePassesAt: /^\s*$/ },
			],
			[
				'shows garbage',
				{ start: 'garbage' },
				/^Fake agent was not ready for a prompt within 1 seconds\. Its screen ends with: .*READ Y/,
				{ limits: { startMs: 1_000 }, timePassesAt: /READ Y/ },
			],
			[
				'shows an unknown dialog',
				{ start: 'unknown dialog' },
				/^Fake agent was not ready .*Do you accept the new terms\? \[y\/N\]$/,
				{ limits: { startMs: 1_000 }, timePassesAt: /\[y\/N\]/ },
			],
			[
				'shows a dialog that comes back',
				{ dialogs: ['trust'], dialogsReturn: true, gapMs: 700 },
				/^Fake agent repeats the same dialogs at its start\. .*DIALOG trust/,
				{ limits: { keyMs: 2_000 } },
			],
			[
				'shows a dialog that accepts no key',
				{ dialogs: ['trust'], deafDialogs: 100 },
				/^Fake agent shows a dialog at its start that accepts no key\. .*DIALOG trust/,
				{ limits: { keyMs: 100 } },
			],
		];

		it.each(failures)('%s: fails with the end of its screen and leaves nothing behind', async (_, scenario, message, options) => {
			await using world = await openWorld(scenario, options);
			const failed = unwrapError(await world.open('wake up'));
			expect(failed.message).toMatch(message);
			expect(world.received().filter(({ prompt }) => prompt !== undefined)).toEqual([]);
			expect(unwrap(await world.tmux.list())).toEqual([]);
		});

		it('is not installed: fails with advice', async () => {
			await using world = await openWorld({}, { argv: ['no-such-agent', '--flag'] });
			expect(unwrapError(await world.open())).toMatchObject({
				code: 'cannot_start',
				message: expect.stringMatching(
					/^Fake agent could not be started: install it, or name its program as agents\.fake\.command/,
				),
			});
			expect(unwrap(await world.tmux.list())).toEqual([]);
		});

		it('does not accept the prompt: fails after a timeout', async () => {
			await using world = await openWorld({ swallowEnters: 1_000 }, { limits: { keyMs: 100 } });
			expect(unwrapError(await world.open('wake up')).message).toMatch(
				/^Fake agent does not accept the prompt\. Its screen ends with: .*READY> wake up/,
			);
			await using deaf = await openWorld({ swallowPastes: 1_000 }, { limits: { keyMs: 100 } });
			expect(unwrapError(await deaf.open('wake up')).message).toMatch(/^Fake agent does not show pasted text\./);
		});
	},
);

describe.skipIf(cannotRun([program('tmux')]))('agent that exits', { timeout: 120_000 }, () => {
	it('during a turn is reported with the end of its screen', async () => {
		await using world = await openWorld({ exitInTurn: true });
		await using agent = unwrap(await world.open());
		const given = await agent.prompt('wake up');
		const ended = given.ok ? await agent.untilReady() : given;
		expect(unwrapError(ended)).toMatchObject({
			code: 'agent_failed',
			message: expect.stringMatching(/^Fake agent ended with exit code 9\. .*something broke in the middle$/),
		});
		expect(unwrap(await agent.state())).toBe('gone');
		expect((await agent.prompt('again')).ok).toBe(false);
	});

	it('is killed with all its processes, and can be killed twice', async () => {
		await using world = await openWorld({});
		const agent = unwrap(await world.open());
		const [terminal] = unwrap(await world.tmux.list());
		unwrap(await agent.kill());
		unwrap(await agent.kill());
		expect(await isRunning(terminal?.pid ?? 0)).toBe(false);
		expect(unwrap(await world.tmux.list())).toEqual([]);
		expect(unwrap(await agent.state())).toBe('gone');
		expect(unwrapError(await agent.untilReady()).message).toBe('Fake agent is gone: its terminal was closed.');
	});
});

type WorldOptions = FakeTuiOptions & {
	limits?: Partial<TuiLimits>;
	/** The clock is stopped until the screen shows this, so that a slow start costs no time. */
	timePassesAt?: RegExp;
};

async function openWorld(scenario: Partial<FakeTuiScenario>, { limits, timePassesAt, ...over }: WorldOptions = {}) {
	await using stack = new AsyncDisposableStack();
	const own = stack.use(await createOwnTmux());
	const fake = createFakeTuiAgent({ log: join(own.directory, 'heard'), ...scenario }, over);
	const env = { PATH: process.env.PATH ?? '' };
	const spawn = { model: 'm', permissionMode: 'ask', cwd: own.directory, env } as const;
	const screen = async () => unwrap(await own.tmux.capture('agent', 'screen'));
	const clock = timePassesAt && createStandingClock(async () => timePassesAt.test(await screen()));
	const owned = stack.move();
	return {
		tmux: own.tmux,
		received: fake.received,
		screen,
		finish: () => writeFileSync(join(own.directory, 'finished'), ''),
		open: (beacon?: string) =>
			openTui(
				{ tmux: own.tmux, adapter: fake.adapter, clock, limits: { ...LIMITS, ...limits } },
				{ name: 'agent', spawn, beacon },
			),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Each poll advances the clock once `hasBegun`. */
function createStandingClock(hasBegun: () => Promise<boolean>): TuiClock {
	let now = 0;
	return {
		now: () => now,
		async wait(ms) {
			await realTuiClock.wait(ms);
			if (await hasBegun()) now += 100;
		},
	};
}
