// Looking for words in the feed: entry by entry from where we are, and never longer than a key press may take.

import type { FeedEntry, FeedList } from '@roost/core/views/feed-list';
import { mainText } from '@roost/core/views/main-text';

export type Search = {
	readonly words: string;
	/** The first entry to look at. */
	readonly from: number;
	/** 1 towards the newer ones, -1 towards the older ones. */
	readonly step: 1 | -1;
	/** What is above was cleared away. */
	readonly floor: number;
};

export type Found =
	| { readonly at: number; readonly inBody: boolean }
	/** Enough for one key press: the next one goes on from there. */
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

/** `characters`: how much was looked at. */
export function hasWords(entry: FeedEntry, pattern: RegExp): { found: boolean; inBody: boolean; characters: number } {
	if (pattern.test(entry.event.title)) return { found: true, inBody: false, characters: 0 };
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

/** Whoever writes capitals means them. `all`: for every place in a text, not for whether there is one. */
export function toPattern(words: string, all = false): RegExp {
	const flags = `${all ? 'g' : ''}${words === words.toLowerCase() ? 'i' : ''}u`;
	return new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags);
}
