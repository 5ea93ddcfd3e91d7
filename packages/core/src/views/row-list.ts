// The list of rows, for a face that reads a feed in pages: the same entries at the same places as of the events.
import type { FeedRow } from '@roost/protocol/api/feed-rows';
import { createJoinedList, type JoinedEntry, type JoinedList, type ListOptions, type Reading } from './joined-list.ts';

export type RowEntry = JoinedEntry<FeedRow, FeedRow, FeedRow>;
export type RowList = JoinedList<FeedRow, FeedRow, FeedRow>;

export function createRowList(options?: ListOptions): RowList {
	return createJoinedList(ROWS, options);
}

const ROWS: Reading<FeedRow, FeedRow, FeedRow> = {
	isResult: (row): row is FeedRow => row.kind === 'tool.post' || row.kind === 'tool.failure',
	isDecision: (row): row is FeedRow => row.kind === 'permission.decision',
	// Of the hidden events, only results have rows.
	isHidden: (row) => row.kind === 'tool.post' && row.parent !== undefined,
	parentOf: (row) => row.parent,
	announcedBy: (row) => row.announces,
};
