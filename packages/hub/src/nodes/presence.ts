// Which runners are connected to which node. A node says what changes, numbered; after a missing number it is asked for its list,
// and when it is silent and does not answer, its runners are offline.
import { accepts } from '@roost/protocol/hub/accepts';
import { runnerId } from '@roost/protocol/ids';
import { z } from 'zod';
import { type Bus, toToken } from '../bus/bus.ts';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import { readHint } from '../runners/runner-bus.ts';

export type Presence = Disposable & {
	/** A runner connected to this node, or left it. */
	changed(runner: KnownRunner): void;
	/** Repeats what may have been lost, and checks nodes that are silent. */
	sweep(): void;
};

export type PresenceDeps = {
	bus: Bus;
	/** The id of this node. */
	node: string;
	runners: KnownRunners;
	/** It came or went at another node. */
	onPresence(runner: KnownRunner): void;
	/** It has a newer connection at another node. */
	onReplaced(runner: KnownRunner): void;
	now: () => number;
};

const connected = z.object({ id: runnerId, links: z.int(), since: z.number(), accepts: accepts.optional() });
type Connected = z.infer<typeof connected>;
const presenceHint = z.object({
	node: z.string(),
	version: z.int(),
	came: connected.optional(),
	left: z.object({ id: runnerId, links: z.int(), since: z.number() }).optional(),
});
const nodeState = z.object({ version: z.int(), connected: z.array(connected) });

/** `silent`: sweeps since it was heard. `wanted`: the highest version that it has told while it was asked. */
type OtherNode = { version: number; silent: number; connected: Map<string, Connected>; isAsked: boolean; wanted: number };

const SUBJECT = 'presence';
const stateOf = (node: string) => `nodes.${toToken(node)}`;
const MOST_SILENT = 2;
const ASK_MS = 2_000;
const UNKNOWN = -1;

export function createPresence({ bus, node, runners, onPresence, onReplaced, now }: PresenceDeps): Presence {
	const others = new Map<string, OtherNode>();
	let version = 0;

	const here = (): Connected[] =>
		runners.list().flatMap(({ id, link, links, since, accepts: given }) => (link ? [{ id, links, since, accepts: given }] : []));
	const announce = (change: object = {}) => bus.publish(SUBJECT, JSON.stringify({ node, version, ...change }));

	function came(name: string, one: Connected): void {
		const runner = runners.find(one.id);
		if (!runner) void runners.refresh(one.id).then((found) => found.ok && found.value && enter(name, one, found.value));
		else enter(name, one, runner);
	}

	function enter(name: string, { id, links, since, accepts: given }: Connected, runner: KnownRunner): void {
		// Of several connections the newest counts, in whatever order they are heard of.
		if (links < runner.links || (links === runner.links && runner.link) || !others.get(name)?.connected.has(id)) return;
		if (runner.link) onReplaced(runner);
		const isNews = !runner.isOnline || runner.links !== links;
		Object.assign(runner, { links, since, accepts: given, elsewhere: { node: name, links } });
		if (isNews) onPresence(runner);
	}

	function left(name: string, { id, links }: Connected, since: number): void {
		const runner = runners.known(id);
		const { elsewhere } = runner ?? {};
		if (!runner || elsewhere?.node !== name || elsewhere.links !== links) return;
		Object.assign(runner, { elsewhere: undefined, since });
		onPresence(runner);
	}

	function hear(text: string): void {
		const hint = readHint(presenceHint, text);
		if (!hint || hint.node === node) return;
		const other = others.get(hint.node) ?? { version: UNKNOWN, silent: 0, connected: new Map(), isAsked: false, wanted: UNKNOWN };
		if (!others.has(hint.node)) {
			others.set(hint.node, other);
			// It may be new, and know nothing of this node.
			announce();
		}
		other.silent = 0;
		other.wanted = Math.max(other.wanted, hint.version);
		const isNext = hint.version === other.version + 1 && (hint.came ?? hint.left);
		if (other.version !== UNKNOWN && isNext) apply(hint.node, other, hint);
		else if (hint.version > other.version) void ask(hint.node, other);
	}

	function apply(name: string, other: OtherNode, hint: z.infer<typeof presenceHint>): void {
		other.version = hint.version;
		if (hint.came) {
			other.connected.set(hint.came.id, hint.came);
			came(name, hint.came);
		}
		const gone = hint.left && other.connected.get(hint.left.id);
		if (!hint.left || !gone) return;
		other.connected.delete(gone.id);
		left(name, gone, hint.left.since);
	}

	/** Whatever is wrong with a node that does not answer: nobody can reach its runners. */
	async function ask(name: string, other: OtherNode): Promise<void> {
		if (other.isAsked) return;
		other.isAsked = true;
		const reply = await bus.request(stateOf(name), '', ASK_MS);
		other.isAsked = false;
		const state = reply.ok ? readHint(nodeState, reply.value) : undefined;
		if (others.get(name) !== other) return;
		if (!state) {
			others.delete(name);
			for (const one of other.connected.values()) left(name, one, now());
			return;
		}
		if (state.version < other.version) return;
		const before = other.connected;
		Object.assign(other, { version: state.version, silent: 0, connected: new Map(state.connected.map((one) => [one.id, one])) });
		for (const one of before.values()) if (other.connected.get(one.id)?.links !== one.links) left(name, one, now());
		for (const one of state.connected) came(name, one);
		const isBehind = other.wanted > state.version;
		other.wanted = state.version;
		if (isBehind) void ask(name, other);
	}

	const ends = [
		bus.subscribe(SUBJECT, hear),
		bus.serve(stateOf(node), async () => JSON.stringify({ version, connected: here() })),
	];
	announce();

	return {
		changed(runner) {
			const { id, link, links, since, accepts: given } = runner;
			version += 1;
			announce(link ? { came: { id, links, since, accepts: given } } : { left: { id, links, since } });
		},
		sweep() {
			announce();
			for (const [name, other] of others) {
				other.silent += 1;
				if (other.silent > MOST_SILENT) void ask(name, other);
			}
		},
		[Symbol.dispose]() {
			for (const end of ends) end();
		},
	};
}
