// kill -9 of the runner under an open terminal UI: it reports the loss, restarts the runner, and continues without gap or repeat.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { askRow } from '@roost/protocol/ask';
import { sessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { endProcess } from '@roost/testkit/rigs/live-processes';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import {
	askToUse,
	findRunner,
	type RunnerProcess,
	reachRoost,
	sayPrompt,
	startRunnerProcess,
} from '@roost/testkit/rigs/runner/runner-rig';
import { KEYS, openTui, pressUntil } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const OTHER = '5f0c8f7e-0000-4000-8000-000000000003';
const LIVE = /\blive$/m;

describe('runner lost under an open terminal UI', () => {
	it('is restarted after a kill; the feed continues without repeats and the stale dialog closes', {
		timeout: 120_000,
	}, async () => {
		// The agent outlives the runner, and no process here descends from it.
		await using outliving = await startProgram([process.execPath, '-e', 'setInterval(() => {}, 60_000)'], { cwd: '/', env: {} });
		await using world = await openWorld({ pid: outliving.pid });
		const { tui, runner, agent } = world;
		void askToUse(agent, 'Bash', { command: 'make waves' }).catch(() => {});
		await tui.waitForScreen(/── Permission[\s\S]*make waves/);
		await runner.kill();
		await tui.waitForScreen(/reconnecting since \d+s: it was killed; starting it again/);
		await tui.waitForScreen(LIVE);
		await tui.waitForScreen((screen) => !screen.includes('── Permission'));
		await sayPrompt(agent, 'and again?');
		const screen = await tui.waitForScreen(/Events missed[\s\S]*and again\?/);
		expect(screen.match(/are you there\?$/gm)).toHaveLength(1);
		const events = await world.events();
		expect(events.map(({ offset }) => offset)).toEqual(events.map((_, index) => index + 1));
		// The start of the newest part of a record is derived from this number.
		expect(await world.countedEvents()).toBe(events.length);
	});

	it('is found again at a different address', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		const { tui, runner } = world;
		const { port } = new URL(runner.url);
		await runner.kill();
		await using _taken = await takePort(Number(port));
		await tui.waitForScreen(/reconnecting/);
		await tui.waitForScreen(LIVE, 60_000);
		const back = await reachRoost(runner.home);
		expect(back.port).not.toBe(Number(port));
		const agent = await back.openLaunch({ headless: false, cwd: runner.folder });
		await sayPrompt(agent, 'a second session', OTHER);
		const received = askToUse(agent, 'Bash', { command: 'make again' }, OTHER);
		await tui.waitForScreen(/── Permission[\s\S]*make again/);
		await world.roost('allow', await world.onlyAsk());
		expect(await received).toMatchObject({ behavior: 'allow' });
		// Lists are read again, from the new address.
		// Keys are ignored for a moment after an answer from elsewhere.
		await pressUntil(tui, ':', (screen) => /^ :/m.test(screen));
		tui.type(`sessions${KEYS.enter}`);
		await tui.waitForScreen(/a second session/);
	});

	it('is not restarted after a regular shutdown, but found once it is started again', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		const { tui, runner } = world;
		expect(await world.roost('down')).toMatchObject({ code: 0 });
		await tui.waitForScreen(/reconnecting since \d+s: it was ended; start it with "roost up"/);
		await tui.waitForScreen(/reconnecting since (?:[3-9]|\d\d)s/);
		expect(findRunner(runner.home)).toBeUndefined();
		await runner.restart();
		await tui.waitForScreen(LIVE);
	});
});

async function openWorld(launch: { pid?: number } = {}) {
	await using stack = new AsyncDisposableStack();
	const runner = stack.use(await startRunnerProcess());
	// The terminal UI may have started another runner, which no test process owns.
	stack.defer(async () => {
		const left = findRunner(runner.home);
		if (left) await endProcess(left.pid);
	});
	const read = async (path: string): Promise<unknown> =>
		JSON.parse((await (await reachRoost(runner.home)).call('GET', `/api/v1/${path}`)).body);
	const sessions = async () => sessionRow.array().parse(await read('sessions'));

	const agent = await (await reachRoost(runner.home)).openLaunch({ headless: false, cwd: runner.folder, ...launch });
	await sayPrompt(agent, 'are you there?');
	const session = await waitFor(async () => (await sessions())[0]?.id, { what: 'the session' });
	const tui = stack.use(openTui({ cwd: runner.folder, env: runner.env, columns: 100, rows: 30 }));
	await tui.waitForScreen(/live[\s\S]*are you there\?/);
	const owned = stack.move();
	return {
		runner,
		agent,
		tui,
		roost: (...args: string[]) => roostIn(runner, ...args),
		events: async () => storedLine.array().parse(await read(`sessions/${session}/events?limit=1000`)),
		countedEvents: async () => (await sessions()).find(({ id }) => id === session)?.events,
		onlyAsk: async () => askRow.array().parse(await read('asks'))[0]?.id ?? '',
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function roostIn(runner: RunnerProcess, ...args: string[]) {
	await using command = await startProgram(roostArgv(...args), { cwd: runner.folder, env: runner.env });
	return await command.waitForExit(60_000);
}

async function takePort(port: number): Promise<AsyncDisposable> {
	const server = createServer((socket) => socket.destroy());
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return server;
}
