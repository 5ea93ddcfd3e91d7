// Search in the feed: finds entries, counts them, and marks the words on the screen. No step takes longer than a key press may.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { eventTitle } from '@roost/core/feed/title';
import type { FeedEntry, FeedList } from '@roost/core/views/feed-list';
import { mainText } from '@roost/core/views/main-text';
import { remembering } from '../parts/remembering.ts';
import type { Row, Span } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';

type Search = {
	readonly words: string;
	readonly from: number;
	/** 1 towards the newer ones, -1 towards the older ones. */
	readonly step: 1 | -1;
	/** Entries before this one were cleared. */
	readonly floor: number;
};

type Found =
	| { readonly at: number; readonly inBody: boolean }
	/** The limit for one key press was reached; the search continues here. */
	| { readonly next: number }
	| null;

const MOST_ENTRIES = 5_000;
const MOST_CHARACTERS = 2_000_000;

export function findInFeed(feed: Pick<FeedList, 'at' | 'end'>, { words, from, step, floor }: Search): Found {
	const pattern = toPattern(words);
	let characters = 0;
	for (let at = from, looked = 0; at >= floor && at < feed.end; at += step, looked += 1) {
		const entry = feed.at(at);
		if (!entry) return null;
		if (looked >= MOST_ENTRIES || characters > MOST_CHARACTERS) return { next: at };
		const tested = hasWords(entry, pattern);
		if (tested.found) return { at, inBody: tested.inBody };
		characters += tested.characters;
	}
	return null;
}

/** `characters`: amount of text searched. */
function hasWords(entry: FeedEntry, pattern: RegExp): { found: boolean; inBody: boolean; characters: number } {
	if (pattern.test(eventTitle(entry.event))) return { found: true, inBody: false, characters: 0 };
	let characters = 0;
	for (const text of textsOf(entry)) {
		if (pattern.test(text)) return { found: true, inBody: true, characters };
		characters += text.length;
	}
	return { found: false, inBody: false, characters };
}

function* textsOf({ event, result, decision }: FeedEntry): Generator<string> {
	yield mainText(event);
	if (result) yield mainText(result);
	if (decision) yield mainText(decision);
}

/** Case-sensitive if the words contain capitals. */
function toPattern(words: string, all = false): RegExp {
	const flags = `${all ? 'g' : ''}${words === words.toLowerCase() ? 'i' : ''}u`;
	return new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags);
}

type MatchCount = {
	readonly total: number;
	/** False while older entries are still being counted. */
	readonly isWhole: boolean;
	/** 1 is the newest; undefined if that entry does not match. */
	rankOf(place: number): number | undefined;
};

type Feed = Pick<FeedList, 'at' | 'end' | 'first'>;

/** Limit for one frame. */
const SLICE = { entries: 5_000, characters: 2_000_000 };
/** Calls without a result yet, which may match later. */
const MOST_OPEN = 50;

/** `floor`: entries before this one were cleared. */
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
	readonly start: number;
	low: number;
	high: number;
	/** Matching places in order: those before the start, negated, and those after it. */
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

/** Counts calls that have their result now. */
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

/** The same row for the same words, so that its line need not be made again. */
export const markMatches = remembering((row: Row, words: string): Row => {
	const pattern = toPattern(words, true);
	// The first span is the time, or the margin below it.
	const made = row.flatMap((part, index) => (index === 0 ? [part] : markSpan(part, pattern)));
	return made.length === row.length ? row : made;
});

function markSpan(part: Span, pattern: RegExp): Span[] {
	const parts: Span[] = [];
	let end = 0;
	for (const { 0: found, index } of part.text.matchAll(pattern)) {
		if (index > end) parts.push({ ...part, text: part.text.slice(end, index) });
		parts.push({ ...part, text: found, tone: 'found', over: undefined });
		end = index + found.length;
	}
	if (parts.length === 0) return [part];
	if (end < part.text.length) parts.push({ ...part, text: part.text.slice(end) });
	const fixed = parts.map((one, index) => (index === 0 ? one : { ...one, fixed: undefined }));
	return isAsWide(part, fixed) ? fixed : [part];
}

/** Combined characters may change the width. */
function isAsWide(part: Span, parts: readonly Span[]): boolean {
	const width = (text: string) => widthOf(sanitiseLine(text));
	return parts.reduce((sum, { text }) => sum + width(text), 0) === width(part.text);
}
