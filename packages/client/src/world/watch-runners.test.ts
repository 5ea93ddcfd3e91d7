import { AppError } from '@roost/protocol/app-error';
import type { InboxAsk } from '@roost/protocol/hub/inbox';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { runnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { sampleHub } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { NO_HUB, type RunnerFacts, shownRunner, watchRunners } from './watch-runners.ts';

const { runners, elsewhere } = sampleHub();
const ROWS = runners?.rows ?? [];
const SHOWN = runnerId.parse('id-of-desktop');

function openWatch() {
	let now = 100_000;
	let facts: RunnerFacts = NO_HUB;
	const asked: string[] = [];
	const inbox: ((reply: Result<InboxAsk[]>) => void)[] = [];
	const list: ((reply: Result<RunnerRow[]>) => void)[] = [];
	const ask = <T>(name: string, waiting: ((reply: T) => void)[]) => {
		asked.push(name);
		return new Promise<T>((resolve) => waiting.push(resolve));
	};
	const watch = watchRunners({
		hub: {
			api: { hub: { inbox: () => ask('inbox', inbox) }, runners: { list: () => ask('list', list) } },
			shown: SHOWN,
			rows: [],
		},
		now: () => now,
		onChange: (changed) => {
			facts = { ...facts, ...changed };
		},
	});
	return {
		asked,
		pass(ms: number) {
			now += ms;
			watch.tick();
		},
		async answer(asks: Result<InboxAsk[]>, rows: Result<RunnerRow[]>) {
			for (const reply of inbox.splice(0)) reply(asks);
			for (const reply of list.splice(0)) reply(rows);
			await new Promise(setImmediate);
		},
		facts: () => facts,
	};
}

describe('runners of a hub', () => {
	it('are known with the requests at others than the shown one', async () => {
		const watch = openWatch();
		watch.pass(0);
		await watch.answer(ok([...elsewhere]), ok([...ROWS]));
		expect(watch.facts().elsewhere.map(({ runner }) => runner.name)).toEqual(['build-server']);
		expect(shownRunner(watch.facts())?.name).toBe('desktop');
	});

	it('are asked for every two seconds, the list less often, and not before the previous reply', async () => {
		const watch = openWatch();
		watch.pass(0);
		watch.pass(4_000);
		expect(watch.asked).toEqual(['inbox', 'list']);
		await watch.answer(ok([]), ok([]));
		watch.pass(-2_001);
		expect(watch.asked).toHaveLength(2);
		watch.pass(1);
		expect(watch.asked).toEqual(['inbox', 'list', 'inbox']);
		watch.pass(2_000);
		expect(watch.asked).toEqual(['inbox', 'list', 'inbox', 'list']);
	});

	it('stay known while the hub does not answer', async () => {
		const watch = openWatch();
		watch.pass(0);
		await watch.answer(ok([...elsewhere]), ok([...ROWS]));
		const before = watch.facts();
		watch.pass(4_000);
		await watch.answer(err(new AppError('internal', 'no')), err(new AppError('internal', 'no')));
		expect(watch.facts()).toEqual(before);
	});
});
