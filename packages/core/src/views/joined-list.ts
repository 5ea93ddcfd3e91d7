// The feed as a list, without hidden items; outcomes are joined to their call or request. It grows at both ends, at a constant cost.
// An item is an event, or a row of one.
import type { EventId, RunId } from '@roost/protocol/ids';

/** What the list needs of an item. */
type Item = { readonly event_id: EventId; readonly kind: string; readonly ts: number; readonly run_id: RunId };

/** How to read an item. */
export type Reading<T extends Item, Result extends T, Decision extends T> = {
	isResult(item: T): item is Result;
	isDecision(item: T): item is Decision;
	/** Never an entry of its own. */
	isHidden(item: T): boolean;
	/** The call or request that it belongs to. */
	parentOf(item: T): EventId | undefined;
	/** The call that a message announces although it came later. */
	announcedBy(item: T): EventId | undefined;
};

export type JoinedEntry<T, Result, Decision> = {
	readonly event: T;
	/** The result of a call. */
	result?: Result;
	/** The decision about a request, or about a call without an ask. */
	decision?: Decision;
	/** How long the call waited for a decision. */
	waitedMs?: number;
};

/** `after` is the place of the entry before it; `order` sorts the hidden items of one place. */
type Hidden = { after: number; readonly order: number };

/** Every entry has a fixed place: the first has 0, newer ones count up, older ones count down. */
export type JoinedList<T, Result, Decision> = {
	/** The place of the oldest; the same as `end` where there is none. */
	readonly first: number;
	/** One more than the place of the newest. */
	readonly end: number;
	at(place: number): JoinedEntry<T, Result, Decision> | undefined;
	find(id: EventId): JoinedEntry<T, Result, Decision> | undefined;
	/** The place; for a hidden item, that of the entry before it. */
	indexOf(id: EventId): number | undefined;
	/** Also finds outcomes that are joined to their call or request. */
	eventOf(id: EventId): T | undefined;
	/** The prompt that started a run. */
	promptOf(run: RunId): T | undefined;
	add(event: T): void;
	/** Adds the items right before the oldest one, oldest first. */
	addOlder(events: readonly T[]): void;
	/** Marks the beginning of the record: there are no older items. */
	endOlder(): void;
};

/** `olderComes`: the list begins in the middle of the record. */
export type ListOptions = { olderComes?: boolean };

export function createJoinedList<T extends Item, Result extends T, Decision extends T>(
	reading: Reading<T, Result, Decision>,
	{ olderComes = false }: ListOptions = {},
): JoinedList<T, Result, Decision> {
	type Entry = JoinedEntry<T, Result, Decision>;
	type Outcome = Result | Decision;
	const { isResult, isDecision, isHidden, parentOf, announcedBy } = reading;
	const newer: Entry[] = [];
	/** The nearest first. */
	const older: Entry[] = [];
	const places = new Map<EventId, number>();
	const hidden = new Map<EventId, Hidden>();
	const prompts = new Map<RunId, T>();
	/** Outcomes whose call or request was not read yet, the newest first. */
	const early = new Map<EventId, Outcome[]>();
	/** Messages whose call was not read yet, by that call, the newest first. */
	const announcing = new Map<EventId, T[]>();
	/** By call. */
	const waits = new Map<EventId, number>();
	let isWhole = !olderComes;
	let newest = 0;
	let oldest = 0;

	const at = (place: number) => (place < 0 ? older[-1 - place] : newer[place]);
	const find = (id: EventId) => at(places.get(id) ?? Number.NaN);
	const homeOf = (outcome: Outcome, parent: EventId) => {
		const entry = find(parent);
		return entry?.event.event_id === parent && belongs(outcome, entry.event) ? entry : undefined;
	};
	const clamp = (place: number) => Math.min(newer.length - 1, Math.max(0 - older.length, place));

	const toOutcome = (event: T): Outcome | undefined => (isResult(event) || isDecision(event) ? event : undefined);

	function hide(event: T): void {
		hidden.set(event.event_id, { after: newer.length - 1, order: ++newest });
	}

	function hideOlder(event: T): void {
		hidden.set(event.event_id, { after: -1 - older.length, order: --oldest });
	}

	function take(event: T, entries: Entry[], place: number): void {
		places.set(event.event_id, place);
		const entry: Entry = { event, waitedMs: waits.get(event.event_id) };
		entries.push(entry);
		const [own, others] = partition(early.get(event.event_id) ?? [], (outcome) => belongs(outcome, event));
		for (const outcome of own.toReversed()) {
			joinTo(entry, outcome);
			places.set(outcome.event_id, place);
			hidden.delete(outcome.event_id);
		}
		if (others.length > 0) early.set(event.event_id, others);
		else early.delete(event.event_id);
	}

	/** Right before the call, which is the oldest event so far. */
	function takeAnnouncing(call: EventId): void {
		for (const message of announcing.get(call) ?? []) {
			hidden.delete(message.event_id);
			take(message, older, -1 - older.length);
		}
		announcing.delete(call);
	}

	function joinTo(entry: Entry, outcome: Outcome): void {
		if (isDecision(outcome)) entry.decision = outcome;
		else entry.result = outcome;
		const call = entry.event.kind === 'permission.request' ? parentOf(entry.event) : undefined;
		if (call === undefined || !isDecision(outcome)) return;
		const waitedMs = (waits.get(call) ?? 0) + outcome.ts - entry.event.ts;
		waits.set(call, waitedMs);
		const called = find(call);
		if (called?.event.event_id === call) called.waitedMs = waitedMs;
	}

	/** The message belongs before its call, although it was read later; older entries move down. */
	function announce(message: T, call: EventId): void {
		insert(message, { after: (places.get(call) ?? 0) - 1, order: Number.POSITIVE_INFINITY });
	}

	/** Inserts an event at its own place, because its call or request was missed; older entries move down. */
	function insert(result: T, { after, order }: Hidden): void {
		for (const [id, place] of places) if (place <= after) places.set(id, place - 1);
		for (const one of hidden.values()) if (one.after < after || (one.after === after && one.order < order)) one.after -= 1;
		hidden.delete(result.event_id);
		places.set(result.event_id, after);
		if (after < 0) older.splice(-1 - after, 0, { event: result });
		else {
			newer.splice(after + 1, 0, { event: result });
			older.unshift(...newer.splice(0, 1));
		}
	}

	return {
		get first() {
			return 0 - older.length;
		},
		get end() {
			return newer.length;
		},
		at,
		find,
		indexOf(id) {
			const place = places.get(id) ?? hidden.get(id)?.after;
			return place === undefined ? undefined : clamp(place);
		},
		eventOf(id) {
			const entry = find(id);
			return [entry?.result, entry?.decision].find((outcome) => outcome?.event_id === id) ?? entry?.event;
		},
		promptOf: (run) => prompts.get(run),
		add(event) {
			const parent = parentOf(event);
			const outcome = parent === undefined ? undefined : toOutcome(event);
			if (outcome && parent !== undefined) {
				const home = homeOf(outcome, parent);
				if (home) {
					joinTo(home, outcome);
					places.set(event.event_id, places.get(parent) ?? 0);
					return;
				}
				if (!isWhole && !places.has(parent)) {
					early.set(parent, [outcome, ...(early.get(parent) ?? [])]);
					return hide(event);
				}
			}
			if (isHidden(event)) return hide(event);
			const call = announcedBy(event);
			if (call !== undefined && isCall(find(call)?.event, call)) return announce(event, call);
			if (call !== undefined && !isWhole) {
				announcing.set(call, [event, ...(announcing.get(call) ?? [])]);
				return hide(event);
			}
			if (event.kind === 'user.prompt') prompts.set(event.run_id, event);
			take(event, newer, newer.length);
		},
		addOlder(events) {
			// Backwards: every outcome comes before its call or request.
			for (const event of events.toReversed()) {
				const outcome = toOutcome(event);
				const parent = parentOf(event);
				const announced = announcedBy(event);
				if (outcome && parent !== undefined) {
					early.set(parent, [...(early.get(parent) ?? []), outcome]);
					hideOlder(event);
				} else if (isHidden(event)) hideOlder(event);
				else if (announced !== undefined) {
					announcing.set(announced, [...(announcing.get(announced) ?? []), event]);
					hideOlder(event);
				} else {
					if (event.kind === 'user.prompt' && !prompts.has(event.run_id)) prompts.set(event.run_id, event);
					take(event, older, -1 - older.length);
					if (event.kind === 'tool.pre') takeAnnouncing(event.event_id);
				}
			}
		},
		endOlder() {
			isWhole = true;
			for (const missed of [...[...early.values()].flat(), ...[...announcing.values()].flat()]) {
				const place = hidden.get(missed.event_id);
				if (place && !isHidden(missed)) insert(missed, place);
			}
			early.clear();
			announcing.clear();
		},
	};
}

function isCall(item: Item | undefined, id: EventId): boolean {
	return item?.kind === 'tool.pre' && item.event_id === id;
}

/** Calls have results and decisions, requests only decisions. */
function belongs(outcome: Item, to: Item): boolean {
	return to.kind === 'tool.pre' || (to.kind === 'permission.request' && outcome.kind === 'permission.decision');
}

function partition<Each>(items: readonly Each[], fits: (item: Each) => boolean): [Each[], Each[]] {
	return [items.filter(fits), items.filter((item) => !fits(item))];
}
