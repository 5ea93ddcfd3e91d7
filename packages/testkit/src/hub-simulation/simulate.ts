// One run of a simulated hub: a runner, two nodes, a database and a bus. What happens next is chosen by the scheduler.
import type { Scheduler } from 'fast-check';
import { createSeeded } from '../rigs/seeded.ts';
import type { Bug, World } from './bugs.ts';
import { createSimulatedNode, type Face, type SimulatedNode } from './simulated-node.ts';
import { createSimulatedRunner, type FromRunner, type ToRunner } from './simulated-runner.ts';
import { createSimulatedStore } from './simulated-store.ts';

export type Outcome = { violations: string[]; trace: string[] };

export type Action = 'append' | 'command' | 'cut' | 'connect' | 'kill node' | 'kill runner' | 'sweep' | 'back up' | 'restore';
export const ACTIONS: readonly [Action, ...Action[]] = [
	'append',
	'append',
	'append',
	'command',
	'cut',
	'connect',
	'kill node',
	'kill runner',
	'sweep',
	'back up',
	'restore',
];

/** The longest correct run has about a tenth of that. */
const MOST_STEPS = 20_000;
const MOST_VIOLATIONS = 20;

/** A command is delivered again, at most, by so many last sweeps. */
const LAST_SWEEPS = 6;

export async function simulate(scheduler: Scheduler, actions: readonly Action[], seed: number, bug?: Bug): Promise<Outcome> {
	const random = createSeeded(seed);
	const violations: string[] = [];
	const trace: string[] = [];
	let isFaulty = true;
	const world: World = {
		bug,
		async step(label) {
			if (trace.length > MOST_STEPS) {
				if (violations.length < MOST_VIOLATIONS) violations.push('the hub does not come to rest');
				await new Promise(() => undefined);
			}
			await scheduler.schedule(Promise.resolve(), label);
			trace.push(label);
		},
		chance: (probability) => isFaulty && random.next() < probability,
		violate: (sentence) => void (violations.length < MOST_VIOLATIONS && violations.push(sentence)),
	};
	const store = createSimulatedStore(world);
	const runner = createSimulatedRunner(world);
	const faces: Face[] = [newFace(), newFace()];
	const ended = new Map<number, string[]>();
	let commands = 0;
	let isRestored = false;

	const nodes: SimulatedNode[] = faces.map((_, at) => startNode(at));
	function startNode(at: number): SimulatedNode {
		return createSimulatedNode(world, {
			store,
			face: faces[at] ?? newFace(),
			publish(log, hint) {
				// Lost or doubled, also while nothing else goes wrong.
				const copies = random.below(3);
				for (let copy = 0; copy < copies; copy += 1) void world.step('a hint').then(() => nodes[1 - at]?.hint(log, hint));
			},
		});
	}

	function connect(): void {
		const node = nodes[random.below(2)];
		if (node) join(world, runner, node);
	}

	/** The lines of an epoch that ended must not change any more. */
	function noteEnded(): void {
		for (const epoch of store.epochs())
			if (epoch < store.current().epoch && !ended.has(epoch))
				ended.set(
					epoch,
					store.lines(epoch).map(({ line }) => line),
				);
	}

	function perform(action: Action): void {
		if (action === 'append') runner.append('event');
		else if (action === 'cut') runner.disconnect();
		else if (action === 'connect' || action === 'kill runner') connect();
		else if (action === 'sweep') {
			if (bug !== 'sweep removed') for (const node of nodes) node.sweep();
		} else if (action === 'back up') runner.backUp();
		else if (action === 'restore')
			isRestored = (!isRestored && bug !== 'ack before commit with pruning' && runner.restore()) || isRestored;
		else if (action === 'command') {
			commands += 1;
			store.commands.set(`c${commands}`, 'open');
			void world.step('a command hint').then(() => {
				for (const node of nodes) node.sendOpen();
			});
		} else {
			const at = random.below(2);
			nodes[at]?.kill();
			runner.disconnect();
			nodes[at] = startNode(at);
		}
		noteEnded();
	}

	const acting = (async () => {
		for (const action of actions) {
			await world.step(action);
			perform(action);
		}
	})();
	await scheduler.waitIdle();
	if (trace.length > MOST_STEPS) return { violations, trace };
	await acting;
	isFaulty = false;
	// A copy that went another way is noticed by the next line.
	runner.append('last');
	for (let round = 0; round < LAST_SWEEPS; round += 1) {
		if (!runner.isConnected()) connect();
		await scheduler.waitIdle();
		if (bug !== 'sweep removed') for (const node of nodes) node.sweep();
		await scheduler.waitIdle();
		noteEnded();
	}

	const own = runner.lines().map(({ line }) => line);
	const { epoch } = store.current();
	const copy = store.lines(epoch);
	if (epoch !== runner.epoch()) violations.push(`the hub is in epoch ${epoch}, the runner in ${runner.epoch()}`);
	if (
		!isSame(
			own,
			copy.map(({ line }) => line),
		)
	)
		violations.push(`the hub has ${copy.length} lines, the runner ${own.length}, or others`);
	for (const face of faces)
		if (face.epoch !== epoch || !isSame(own, face.lines))
			violations.push(`a face has ${face.lines.length} lines of ${own.length}, or others`);
	for (const [past, lines] of ended)
		if (
			!isSame(
				lines,
				store.lines(past).map(({ line }) => line),
			)
		)
			violations.push(`epoch ${past} changed after its end`);
	for (let at = 1; at <= commands; at += 1) {
		const facts = runner.facts(`c${at}`);
		// What a restored record lost was a fact of the epoch before.
		if (facts > 1 || (facts === 0 && !isRestored)) violations.push(`command ${at} has ${facts} facts`);
		if (store.commands.get(`c${at}`) !== 'done') violations.push(`command ${at} is open`);
	}
	return { violations, trace };
}

/** Messages of one connection arrive in order; when it ends, each side learns of it by itself. */
function join({ step }: World, runner: ReturnType<typeof createSimulatedRunner>, node: SimulatedNode): void {
	let isClosed = false;
	let toNode: Promise<unknown> = Promise.resolve();
	let toRunner: Promise<unknown> = Promise.resolve();

	function close(): void {
		if (isClosed) return;
		isClosed = true;
		void step('the runner loses its connection').then(() => runner.lost(atRunner));
		// What was sent before may still arrive, as at a node that was frozen.
		toNode = toNode.then(() => step('a node loses its runner')).then(() => node.lost(atNode));
	}
	const atNode = {
		send(message: ToRunner) {
			toRunner = toRunner.then(() => step(`to the runner: ${message.type}`)).then(() => isClosed || deliver(message));
		},
		close,
	};
	const atRunner = {
		send(message: FromRunner) {
			if (!isClosed) toNode = toNode.then(() => step(`to a node: ${message.type}`)).then(() => receive(message));
		},
		close,
	};
	const receive = node.accept(atNode, () => isClosed);
	const deliver = runner.connect(atRunner);
}

const newFace = (): Face => ({ epoch: 0, lines: [] });

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((line, at) => line === other[at]);
}
