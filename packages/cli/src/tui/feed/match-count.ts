// How many entries of the feed have the words, and which of them one is at. Counted once for each search, a slice at a time.
import type { FeedEntry, FeedList } from '@roost/core/views/feed-list';
import { hasWords, toPattern } from './feed-search.ts';

export type MatchCount = {
	readonly total: number;
	/** False while older entries are still to be counted. */
	readonly isWhole: boolean;
	/** 1 is the newest; undefined where that place has none of the words. */
	rankOf(place: number): number | undefined;
};

type Feed = Pick<FeedList, 'at' | 'end' | 'first'>;

/** What one frame may take. */
const SLICE = { entries: 5_000, characters: 2_000_000 };
/** Calls whose result is still to come: it may have the words. */
const MOST_OPEN = 50;

/** `floor`: what is below this place was cleared away. */
export function countMatches(feed: Feed, words: string, floor: number): MatchCount {
	const known = counted.get(feed);
	const count = known?.words === words && known.floor === floor ? known : startCount(feed, words, floor);
	counted.set(feed, count);
	countOn(count, feed);
	return count;
}

const counted = new WeakMap<Feed, Counting>();

type Counting = MatchCount & {
	readonly words: string;
	readonly floor: number;
	readonly pattern: RegExp;
	/** Where the count began. */
	readonly start: number;
	/** Everything from `low` up to `high` is counted. */
	low: number;
	high: number;
	/** Places with the words, lowest first: those below where the count began, turned around, and those above. */
	readonly below: number[];
	readonly above: number[];
	open: number[];
	isWhole: boolean;
};

function startCount(feed: Feed, words: string, floor: number): Counting {
	const [below, above]: [number[], number[]] = [[], []];
	const start = feed.end;
	return {
		words,
		floor,
		pattern: toPattern(words),
		start,
		low: start,
		high: start,
		below,
		above,
		open: [],
		isWhole: false,
		get total() {
			return below.length + above.length;
		},
		rankOf(place) {
			const sorted = place < start ? below : above;
			const at = indexIn(sorted, place < start ? -place : place);
			if (at === undefined) return undefined;
			return place < start ? above.length + at + 1 : above.length - at;
		},
	};
}

function countOn(count: Counting, feed: Feed): void {
	const bottom = Math.max(feed.first, count.floor);
	let entries = 0;
	let characters = 0;
	const styles = (place: number, into: number[], key: number) => {
		const entry = feed.at(place);
		if (!entry) return;
		const tested = hasWords(entry, count.pattern);
		entries += 1;
		characters += tested.characters;
		if (tested.found) into.push(key);
		else if (isOpen(entry)) count.open = [...count.open, place].slice(-MOST_OPEN);
	};
	recount(count, feed);
	for (; count.high < feed.end; count.high += 1) styles(count.high, count.above, count.high);
	for (; count.low > bottom && entries < SLICE.entries && characters < SLICE.characters; count.low -= 1)
		styles(count.low - 1, count.below, 1 - count.low);
	count.isWhole = count.low <= bottom;
}

/** Calls that have their result now. */
function recount(count: Counting, feed: Feed): void {
	const { start } = count;
	for (const place of count.open) {
		const entry = feed.at(place);
		if (!entry || isOpen(entry)) continue;
		count.open = count.open.filter((one) => one !== place);
		if (hasWords(entry, count.pattern).found) insert(place >= start ? count.above : count.below, place >= start ? place : -place);
	}
}

function isOpen({ event, result, decision }: FeedEntry): boolean {
	return (event.kind === 'tool.pre' && !result) || (event.kind === 'permission.request' && !decision);
}

function indexIn(sorted: readonly number[], key: number): number | undefined {
	const at = lowerBound(sorted, key);
	return sorted[at] === key ? at : undefined;
}

function insert(sorted: number[], key: number): void {
	sorted.splice(lowerBound(sorted, key), 0, key);
}

function lowerBound(sorted: readonly number[], key: number): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? 0) < key) low = middle + 1;
		else high = middle;
	}
	return low;
}
