// One node of a hub among others: serves the runners that are connected to it, and learns what other nodes did from hints, or at
// the latest from the database by the next sweep.
import type { Timers } from '@roost/machine/timers';
import { linkCall, terminalOpen } from '@roost/protocol/hub/link-frames';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { createSweep } from '../bus/sweep.ts';
import type { Deliveries } from '../commands/deliveries.ts';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import type { LinkServer } from '../runners/link-server.ts';
import { callsOf, commandsOf, interestHint, interestIn, OPENED, opensOf, readHint } from '../runners/runner-bus.ts';
import type { HubStore, RunnerHead } from '../store/hub-store.ts';
import { createPresence } from './presence.ts';

export type HubNode = Disposable & {
	/** A runner connected to this node, or left it. */
	linkChanged(runner: KnownRunner): void;
	/** A runner was paired or revoked by this node. */
	runnerChanged(id: RunnerId): void;
	/** Devices or grants were changed by this node. */
	peopleChanged(): void;
};

export type HubNodeDeps = {
	/** The id of this node; another one after each start. */
	node: string;
	bus: Bus;
	store: { runners: Pick<HubStore['runners'], 'heads'> };
	runners: KnownRunners;
	links: Pick<LinkServer, 'dismiss' | 'replaced'>;
	deliveries: Pick<Deliveries, 'resume'>;
	/** A runner came or went at another node. */
	onPresence(runner: KnownRunner): void;
	/** Devices or grants were changed by another node. */
	onPeople(): void;
	now: () => number;
	sweepMs: number;
	timers?: Timers;
	warn: (sentence: string) => void;
};

export function openNode(deps: HubNodeDeps): HubNode {
	const { bus, runners, links, deliveries, warn } = deps;
	const presence = createPresence({ ...deps, onReplaced: replaced });
	const served = new Map<RunnerId, (() => void)[]>();
	const sweeping = createSweep({ ...deps, work: sweep });

	/** While a runner is connected here, other nodes reach it; without any such node they learn at once that it is offline. */
	function serve(runner: KnownRunner): (() => void)[] {
		return [
			bus.serve(callsOf(runner.id), async (text) => {
				// It may have left while the request was on its way.
				const outcome = runner.link ? await runner.link.request(linkCall.parse(JSON.parse(text))) : null;
				return JSON.stringify(outcome);
			}),
			bus.serve(opensOf(runner.id), async (text) => {
				const open = readHint(terminalOpen, text);
				if (open) runner.link?.openTerminal(open);
				return open && runner.link ? OPENED : '';
			}),
			bus.serve(commandsOf(runner.id), async () => {
				void deliveries.resume(runner);
				return '';
			}),
			bus.subscribe(interestIn(runner.id), (text) => {
				const hint = readHint(interestHint, text);
				if (hint) runner.interest.take(hint.node, hint.streams);
			}),
		];
	}

	function replaced(runner: KnownRunner): void {
		links.replaced(runner.id);
		update(runner);
	}

	function update(runner: KnownRunner): void {
		if (runner.link && !served.has(runner.id)) served.set(runner.id, serve(runner));
		if (runner.link) return;
		for (const end of served.get(runner.id) ?? []) end();
		served.delete(runner.id);
	}

	async function refresh(id: RunnerId): Promise<void> {
		const found = await runners.refresh(id);
		if (!found.ok) return warn(found.error.message);
		if (found.value && found.value.row.revokedAt !== null) links.dismiss(id);
	}

	async function takeHead(head: RunnerHead): Promise<void> {
		const { id, name, version, isRevoked, epoch, lastSeqNo } = head;
		const runner = runners.known(id);
		if (!runner || isRevoked !== (runner.row.revokedAt !== null)) return await refresh(id);
		if (epoch !== undefined) runner.reached({ runnerId: id, epoch }, lastSeqNo);
		runner.row = { ...runner.row, name, version };
		if (head.links <= runner.links) return;
		runner.links = head.links;
		if (!runner.link) return;
		replaced(runner);
		presence.changed(runner);
		deps.onPresence(runner);
	}

	async function sweep(): Promise<void> {
		presence.sweep();
		for (const { id, link, interest } of runners.list()) {
			if (link) interest.age();
			else if (interest.own().length > 0)
				bus.publish(interestIn(id), JSON.stringify({ node: deps.node, streams: interest.own() }));
		}
		const heads = await deps.store.runners.heads();
		if (!heads.ok) return warn(heads.error.message);
		for (const head of heads.value) await takeHead(head);
	}

	const ends = [
		bus.subscribe(RUNNERS, (text) => {
			const hint = readHint(z.object({ id: runnerId }), text);
			if (hint) void refresh(hint.id);
		}),
		bus.subscribe(PEOPLE, () => deps.onPeople()),
	];

	return {
		linkChanged(runner) {
			update(runner);
			presence.changed(runner);
		},
		runnerChanged: (id) => bus.publish(RUNNERS, JSON.stringify({ id })),
		peopleChanged: () => bus.publish(PEOPLE, ''),
		[Symbol.dispose]() {
			sweeping[Symbol.dispose]();
			presence[Symbol.dispose]();
			for (const end of [...ends, ...[...served.values()].flat()]) end();
		},
	};
}

const RUNNERS = 'runners';
const PEOPLE = 'people';
