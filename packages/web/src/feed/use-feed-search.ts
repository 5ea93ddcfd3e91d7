// From hit to hit in a feed. Where what was read has no further one, older pages are read until a hit, the beginning, or a stop.
import type { SessionRows } from '@roost/client/world/follow-rows';
import type { RowEntry, RowList } from '@roost/core/views/row-list';
import { useEffect, useRef, useState } from 'react';

/** 1 towards the newer rows, -1 towards the older ones. */
export type SearchStep = 1 | -1;

export type SearchOutcome =
	/** A hit was found, or nothing was searched yet. */
	| { readonly state: 'ready' }
	| { readonly state: 'reading' }
	| { readonly state: 'missing'; readonly step: SearchStep }
	| { readonly state: 'failed'; readonly why: string };

export type FeedSearching = {
	readonly outcome: SearchOutcome;
	/** From the selected row, else from the end. */
	go(words: string, step: SearchStep): Promise<void>;
	/** What was read stays. */
	stop(): void;
};

type Deps = {
	readonly feed: RowList;
	/** The place of the selected row, or the end. */
	readonly at: number;
	/** Resolves after one more page was read, or could not be read. */
	readOlder(): Promise<Pick<SessionRows, 'hasOlder' | 'problem'>>;
	readonly hasOlder: boolean;
	show(place: number): void;
};

const READY: SearchOutcome = { state: 'ready' };

export function useFeedSearch({ feed, at, hasOlder, readOlder, show }: Deps): FeedSearching {
	const [outcome, setOutcome] = useState(READY);
	const current = useRef<AbortController>(undefined);
	useEffect(() => () => current.current?.abort(), []);

	function stop(): void {
		current.current?.abort();
		setOutcome(READY);
	}

	async function search(words: string, step: SearchStep, { signal }: AbortController): Promise<SearchOutcome> {
		let place = nextHit(feed, words.toLowerCase(), at + step, step);
		let isMore = hasOlder && step === -1;
		while (place === undefined && isMore) {
			const from = feed.first - 1;
			setOutcome({ state: 'reading' });
			const read = await readOlder();
			if (signal.aborted) return READY;
			if (read.problem) return { state: 'failed', why: read.problem.message };
			place = nextHit(feed, words.toLowerCase(), from, step);
			isMore = read.hasOlder;
		}
		if (place === undefined) return { state: 'missing', step };
		show(place);
		return READY;
	}

	return {
		outcome,
		async go(words, step) {
			stop();
			if (words === '') return;
			const own = new AbortController();
			current.current = own;
			const found = await search(words, step, own);
			if (!own.signal.aborted) setOutcome(found);
		},
		stop,
	};
}

function nextHit(feed: RowList, words: string, from: number, step: SearchStep): number | undefined {
	for (let place = from; place >= feed.first && place < feed.end; place += step)
		if (hasWords(feed.at(place), words)) return place;
	return undefined;
}

function hasWords(entry: RowEntry | undefined, words: string): boolean {
	return entry !== undefined && `${entry.event.title}\n${entry.event.text ?? ''}`.toLowerCase().includes(words);
}
