// Random commands, restarts and time: a session's row and queue always match its log, and no prompt arrives twice.
import { acknowledgePrompt, createPrompts, foldPrompt } from '@roost/core/session/prompts';
import { toSessionRow } from '@roost/core/views/session-row';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { createMemoryStore } from '@roost/store/memory-store';
import { type DrivenRig, openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const ROUNDS = process.env.ROOST_SOAK ? 20 : 1;
const ACTIONS = 500;
/** Each check folds every log from its start. */
const LOOK_EVERY = 25;
/** Half of the actions use these few sessions, so that actions interact. */
const AT_HAND = 3;
const BY = { name: 'owner', face: 'test' };

const PROMPTS = ['read it', 'run the tests', 'which one?', 'fail, please', 'explain it'];
const COMMANDS = [
	...(['interrupt', 'resume', 'fork', 'end', 'cancel', 'edit', 'move', 'now', 'decide'] as const),
	...(['rename', 'archive', 'adjust', 'switch'] as const),
];
const which = fc.nat({ max: 1_000 });
const action = fc.oneof(
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('create' as const), text: fc.constantFrom(undefined, ...PROMPTS) }) },
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('message' as const), which, text: fc.constantFrom(...PROMPTS) }) },
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('play' as const), ms: fc.constantFrom(20, 200, 2_000) }) },
	{
		weight: 11,
		arbitrary: fc.record({
			do: fc.constantFrom(...COMMANDS),
			which,
			other: which,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

describe('random actions on driven sessions', () => {
	it('keep rows and queues consistent with the log, and lose or repeat no prompt', { timeout: 600_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(action, { minLength: ACTIONS, maxLength: ACTIONS }), async (actions) => {
				await using world = await openWorld();
				for (const [index, next] of actions.entries()) {
					await world.take(next);
					if (index % LOOK_EVERY === 0) await world.check();
				}
				await world.comeToRest();
				await world.check();
			}),
			{ numRuns: ROUNDS, endOnFailure: true },
		);
	});
});

async function openWorld() {
	const store = createMemoryStore();
	const rigs = [await openDrivenRig({ store })];
	/** Prompts that were accepted and not cancelled. */
	const accepted = new Map<PromptId, SessionId>();
	const rig = (): DrivenRig => rigs.at(-1) ?? expect.fail();
	const ids = () => unwrap(store.sessions()).map(({ id }) => id);

	async function take(next: Action): Promise<void> {
		if (next.do === 'create') return void (await rig().create(next.text));
		if (next.do === 'play') return await rig().play(next.ms);
		if (next.do === 'restart') return await restart();
		const id = pick(next.which % 2 === 0 ? ids() : ids().slice(-AT_HAND), next.which);
		if (!id) return;
		if ('text' in next) {
			const taken = await rig().driven.message(id, next.text);
			if (taken.ok) accepted.set(taken.value.promptId, id);
		} else await command(id, next);
	}

	/** The previous runner has saved everything: it must not write beside the next one. */
	async function restart(): Promise<void> {
		await rig().engine.settled();
		rigs.push(await openDrivenRig({ store }));
	}

	async function command(id: SessionId, next: Extract<Action, { other: number }>): Promise<void> {
		const { driven, controls, labels, queue, engine } = rig();
		const { sessionId: queued = id, prompts = [] } = pick(queue.all(), next.which) ?? {};
		const waits = pick(prompts, next.other)?.id;
		const ask = pick(engine.asks.list({}), next.other);
		switch (next.do) {
			case 'interrupt':
			case 'resume':
				return void (await driven[next.do](id));
			case 'fork':
				return void (await controls.fork(id));
			case 'end':
				for (const prompt of queue.list(id)) accepted.delete(prompt.id);
				return void (await driven.end(id));
			case 'cancel':
				if (waits && (await queue.cancel(queued, waits)).ok) accepted.delete(waits);
				return;
			case 'edit':
				return void (waits && (await queue.edit(queued, waits, 'read it')));
			case 'move':
				return void (waits && (await queue.move(queued, waits, next.which % 5)));
			case 'now':
				return void (waits && (await driven.sendNow(queued, waits)));
			case 'decide':
				return void (ask && (await engine.answer(ask.id, { type: 'deny', message: 'no' }, BY)));
			case 'rename':
				return void (await labels.rename(id, `title ${next.other}`));
			case 'archive':
				return void (await labels.archive(id, next.other % 2 === 0));
			case 'adjust':
				return void (await controls.adjust(id, next.other % 2 === 0 ? { model: 'other' } : { permissionMode: 'plan' }));
			case 'switch':
				return void (await controls.switchMode(id, next.other % 2 === 0 ? 'sdk' : 'pty'));
			default:
				assertNever(next.do);
		}
	}

	async function check(): Promise<void> {
		// Waits until the last inputs are recorded.
		await rig().play(0);
		for (const row of unwrap(store.sessions())) {
			const events = rig().stored(row.id);
			const view = createSessionView(row.id);
			for (const event of events) foldSessionView(view, event);
			expect(toSessionRow(view, row)).toEqual(row);
			const { waiting, sent } = promptsOf(events);
			expect(rig().queue.list(row.id)).toEqual(waiting);
			// Without a working agent, every sent prompt has arrived or is queued again: none stays in transit.
			if (!isAtWork(row)) expect(sent).toEqual([]);
			const arrived = events.flatMap((event) => (event.kind === 'user.prompt' ? [event.data.prompt_id] : []));
			expect(new Set(arrived).size).toBe(arrived.length);
		}
		for (const [prompt, id] of accepted) expect(whereIs(prompt, rig().stored(id))).not.toBe('nowhere');
	}

	/** Ends every current run, and the runs of queued prompts. */
	async function comeToRest(): Promise<void> {
		for (const id of ids()) while ((await rig().driven.interrupt(id)).ok) await rig().play(20);
		expect(unwrap(store.sessions()).filter(isAtWork)).toEqual([]);
	}

	return {
		take,
		check,
		comeToRest,
		async [Symbol.asyncDispose]() {
			for (const one of rigs) await one[Symbol.asyncDispose]();
		},
	};
}

function isAtWork({ status }: SessionRow): boolean {
	return status === 'working' || status === 'waiting';
}

function promptsOf(events: readonly FeedEvent[]) {
	const prompts = createPrompts();
	for (const event of events) {
		if (event.kind === 'prompt.update') foldPrompt(prompts, event);
		if (event.kind === 'user.prompt') acknowledgePrompt(prompts, event);
	}
	return prompts;
}

function whereIs(prompt: PromptId, events: readonly FeedEvent[]): 'waiting' | 'on its way' | 'arrived' | 'nowhere' {
	const { waiting, sent } = promptsOf(events);
	if (waiting.some(({ id }) => id === prompt)) return 'waiting';
	if (sent.some(({ id }) => id === prompt)) return 'on its way';
	return events.some((event) => isArrival(event, prompt)) ? 'arrived' : 'nowhere';
}

/** The agent reports the prompt, or the record notes its arrival if the agent exited before. */
function isArrival(event: FeedEvent, prompt: PromptId): boolean {
	if (event.kind === 'prompt.update') return event.data.prompt_id === prompt && event.data.state === 'arrived';
	return event.kind === 'user.prompt' && event.data.prompt_id === prompt;
}

function pick<T>(from: readonly T[], which: number): T | undefined {
	return from[which % Math.max(1, from.length)];
}
