import { eventId, projectId, runnerId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { type EventContent, sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { readPastCalls } from './past-calls.ts';

type Query = Parameters<typeof readPastCalls>[0];

describe('past calls', () => {
	it('are returned newest first, with how far back they go', async () => {
		await using world = createWorld();
		await world.append('a', [1, 2, 3, 4].map(bash));
		expect(await world.read({ limit: 2 })).toEqual({ commands: ['4', '3'], since: 1_700_000_000_003, complete: false });
		expect(await world.read({ limit: 4 })).toEqual({ commands: ['4', '3', '2', '1'], since: 1_700_000_000_001, complete: true });
	});

	it('are searched in a limited number of events', async () => {
		await using world = createWorld();
		await world.append('a', [bash(1), ...prompts(1_500), bash(2), ...prompts(10)]);
		expect(await world.read({ maxEvents: 100 })).toMatchObject({ commands: ['2'], complete: false });
		expect(await world.read({ maxEvents: 1_511 })).toMatchObject({ commands: ['2'], complete: false });
		expect(await world.read({ maxEvents: 1_512 })).toMatchObject({ commands: ['2', '1'], complete: true });
		const slices = world.reads();
		expect(Math.max(...slices.map(({ limit }) => limit))).toBeLessThanOrEqual(200);
	});

	it('do not block other work while they are searched', async () => {
		await using world = createWorld();
		await world.append('a', prompts(2_000));
		let turns = 0;
		const turn = () => {
			turns++;
			if (turns < 100) setImmediate(turn);
		};
		setImmediate(turn);
		await world.read({});
		expect(turns).toBeGreaterThanOrEqual(3);
	});

	it('include those of every runner that shares the record', async () => {
		await using world = createWorld();
		await world.append('a', [...prompts(700), bash(1)]);
		await world.append('b', [...prompts(700), bash(2)], 'runner-2');
		expect((await world.read({})).commands.toSorted()).toEqual(['1', '2']);
	});

	it('include only the requested ones', async () => {
		await using world = createWorld();
		await world.append('a', [bash(1)]);
		await world.append('b', [bash(2)]);
		expect(await world.read({ isWanted: ({ sessionId }) => sessionId === 'a', limit: 1 })).toMatchObject({ commands: ['1'] });
	});

	it('have the last decision if a request was repeated, or the denial of the agent itself', async () => {
		await using world = createWorld();
		await world.append('a', [
			bash(1),
			{ ...request(1), parent: 1 },
			{ ...decision('no_opinion', 'timeout'), parent: 2 },
			{ ...request(1), parent: 1 },
			{ ...decision('allow', 'terminal'), parent: 4 },
			bash(2),
			{ kind: 'permission.denied', data: { tool_name: 'Bash', tool_input: {} }, parent: 6 },
		]);
		const { calls } = await world.all();
		expect(calls.map(({ asked, became }) => [asked, became])).toEqual([
			[false, { outcome: 'denied', by: 'agent' }],
			[true, { outcome: 'no_opinion', by: 'terminal' }],
		]);
	});

	it('include requests that were never announced', async () => {
		await using world = createWorld();
		await world.append('a', [request(7), { ...decision('deny', 'user'), parent: 1 }]);
		expect((await world.all()).calls).toMatchObject([
			{ tool: 'Bash', input: { command: '7' }, asked: true, became: { outcome: 'denied', by: 'user' } },
		]);
	});

	it('include questions with their answer', async () => {
		await using world = createWorld();
		const input = { questions: [] };
		await world.append('a', [
			{ kind: 'tool.pre', data: { tool_name: 'AskUserQuestion', tool_input: input } },
			{ kind: 'question.request', data: { questions: [] }, parent: 1 },
			{ kind: 'question.answer', data: { answers: {}, decided_by: 'user', principal: 'lea@cli' }, parent: 2 },
		]);
		expect((await world.all()).calls).toMatchObject([
			{ tool: 'AskUserQuestion', asked: true, became: { outcome: 'answered', by: 'lea@cli' } },
		]);
	});

	it('fail if a line is unreadable', async () => {
		await using world = createWorld();
		await world.append('a', [bash(1)]);
		world.damage();
		expect(await readPastCalls(world.query({}))).toMatchObject({ ok: false, error: { code: 'corrupt' } });
	});
});

/** `parent` is the number of the event it belongs to. */
type Content = EventContent & { parent?: number };

function bash(command: number): Content {
	return { kind: 'tool.pre', data: { tool_name: 'Bash', tool_input: { command: `${command}` } } };
}

function request(command: number): Content {
	const data = { tool_name: 'Bash', tool_input: { command: `${command}` }, risk: 'low' } as const;
	return { kind: 'permission.request', data };
}

function decision(type: 'allow' | 'deny' | 'no_opinion', decided_by: 'user' | 'timeout' | 'terminal'): Content {
	const data = type === 'deny' ? { decision_type: type, message: 'no', decided_by } : { decision_type: type, decided_by };
	return { kind: 'permission.decision', data };
}

function prompts(count: number): Content[] {
	// The name of a kind inside a text is not a kind.
	const data = { prompt: '"kind":"tool.pre"', cwd: '/project' };
	return Array.from({ length: count }, () => ({ kind: 'user.prompt', data }) as const);
}

function createWorld() {
	const store = createMemoryStore();
	const reads: { limit: number }[] = [];
	let isDamaged = false;
	const watched: Query['store'] = {
		...store,
		read(query) {
			reads.push(query);
			const page = store.read(query);
			if (!isDamaged || !page.ok) return page;
			return { ok: true, value: page.value.map((entry) => ({ ...entry, line: entry.line.replace('"v":1', '"v":0') })) };
		},
	};
	const query = (over: Partial<Query>): Query => ({
		store: watched,
		runnerId: runnerId.parse('runner-1'),
		isWanted: () => true,
		limit: 100,
		maxEvents: 50_000,
		...over,
	});
	const all = async (over: Partial<Query> = {}) => unwrap(await readPastCalls(query(over)));
	return {
		query,
		all,
		async append(session: string, contents: Content[], runner = 'runner-1') {
			const events = contents.map(({ parent, ...content }, at) => ({
				...sampleEvent(session, at + 1, content),
				cause: parent === undefined ? undefined : { parent_event_id: eventId.parse(`${session}:R1:E${parent}`) },
			}));
			const owners = { runnerId: runnerId.parse(runner), projectId: projectId.parse('/project') };
			unwrap(await store.append(sampleAppend(session, events, owners)));
		},
		async read(over: Partial<Query>) {
			const { calls, since, complete } = await all(over);
			return { commands: calls.map(({ input }) => input.command), since, complete };
		},
		reads: () => reads,
		damage() {
			isDamaged = true;
		},
		[Symbol.asyncDispose]: store.close,
	};
}
