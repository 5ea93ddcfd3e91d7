// The streams of a runner whose deltas somebody watches, at this node or at another one that said so lately.
import type { StreamId } from '@roost/protocol/ids';

export type Interest = {
	/** At this node. Returns the function that ends it. */
	watch(stream: StreamId): () => void;
	own(): StreamId[];
	all(): StreamId[];
	/** At another node; replaces what it said before. */
	take(node: string, streams: readonly StreamId[]): void;
	isElsewhere(stream: StreamId): boolean;
	/** Forgets nodes that have not repeated theirs for some calls of this. */
	age(): void;
};

const OLDEST = 3;

/** `onOwn`: another set at this node; `onAll`: at any node. */
export function createInterest({ onOwn, onAll }: { onOwn(): void; onAll(): void }): Interest {
	const watched = new Map<StreamId, number>();
	const elsewhere = new Map<string, { streams: ReadonlySet<StreamId>; age: number }>();
	const own = () => [...watched.keys()];
	const all = () => [...new Set([...own(), ...elsewhere.values().flatMap(({ streams }) => streams)])];

	function changed(isOwn: boolean): void {
		if (isOwn) onOwn();
		onAll();
	}

	return {
		watch(stream) {
			const count = watched.get(stream) ?? 0;
			watched.set(stream, count + 1);
			if (count === 0) changed(true);
			let isOver = false;
			return () => {
				if (isOver) return;
				isOver = true;
				const left = (watched.get(stream) ?? 1) - 1;
				if (left > 0) watched.set(stream, left);
				else {
					watched.delete(stream);
					changed(true);
				}
			};
		},
		own,
		all,
		take(node, streams) {
			const before = elsewhere.get(node)?.streams;
			if (streams.length === 0) elsewhere.delete(node);
			else elsewhere.set(node, { streams: new Set(streams), age: 0 });
			if (before?.size !== streams.length || streams.some((stream) => !before.has(stream))) changed(false);
		},
		isElsewhere: (stream) => elsewhere.values().some(({ streams }) => streams.has(stream)),
		age() {
			const old = [...elsewhere].filter(([, one]) => ++one.age > OLDEST);
			for (const [node] of old) elsewhere.delete(node);
			if (old.length > 0) changed(false);
		},
	};
}
