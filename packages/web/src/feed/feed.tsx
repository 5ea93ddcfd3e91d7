// The feed of a session: only the rows on screen are rendered, new ones are followed, older ones are read when scrolled to.
import { BORDER } from '@roost/client/world/continued-rows';
import type { SessionRows } from '@roost/client/world/follow-rows';
import type { RowEntry } from '@roost/core/views/row-list';
import { eventId } from '@roost/protocol/ids';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useAction } from '../keys/use-action.ts';
import styles from './feed.module.css';
import { FeedRowView, type RowContext } from './feed-row.tsx';
import { FeedSearch } from './feed-search.tsx';
import { useFeedSearch } from './use-feed-search.ts';
import { useWindow } from './use-window.ts';

type FeedProps = {
	/** `first` and `last`: the offsets of the oldest and the newest event that were read. */
	readonly session: Pick<SessionRows, 'rows' | 'first' | 'last' | 'hasOlder'>;
	readonly context: RowContext;
	/** Reads one more page, and resolves with what was read then. */
	readOlder(): Promise<SessionRows>;
	onOpenWhole(entry: RowEntry): void;
	/** After the last row: text that is being written, and the like. */
	readonly children?: ReactNode;
};

const ROW_PX = 28;
const NEAR_START_PX = 1_500;

export function Feed({ session, context, readOlder, onOpenWhole, children }: FeedProps) {
	const { rows: feed, first, last, hasOlder } = session;
	const [selected, setSelected] = useState<string | undefined>(undefined);
	/** To scroll to. */
	const [target, setTarget] = useState<string | undefined>(undefined);
	const [isSearching, setSearching] = useState(false);
	const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
	const keyAt = useCallback((place: number) => feed.at(place)?.event.event_id, [feed]);
	const placeOf = useCallback((key: string) => feed.indexOf(eventId.parse(key)), [feed]);
	const list = useWindow({ first: feed.first, end: feed.end, estimate: ROW_PX, keyAt, placeOf });
	const { scroller, from, to } = list;

	// In the same commit as the window puts the row under the eye back: later, a page that just arrived would cause another read.
	useLayoutEffect(() => {
		if (hasOlder && (scroller.current?.scrollTop ?? 0) < NEAR_START_PX) void readOlder();
	});

	const toggle = useCallback((id: string) => setOpened((before) => toggled(before, id)), []);
	const select = useCallback((id: string) => setSelected(id), []);
	const at = selected === undefined ? undefined : placeOf(selected);
	useSelected(selected, list.rows);
	// Rows of a page that just arrived have a place only after they were rendered.
	useLayoutEffect(() => {
		const place = target === undefined ? undefined : placeOf(target);
		if (place === undefined) return;
		list.reveal(place);
		setTarget(undefined);
	});

	function show(place: number): void {
		const key = keyAt(place);
		if (key === undefined) return;
		setTarget(key);
		setSelected(key);
	}

	function move(step: 1 | -1): void {
		show(Math.max(feed.first, Math.min(feed.end - 1, at === undefined ? to - 1 : at + step)));
	}

	const search = useFeedSearch({ feed, at: at ?? feed.end, hasOlder, readOlder, show });

	useAction('next', () => move(1));
	useAction('previous', () => move(-1));
	useAction('follow', list.follow);
	useAction('find', () => setSearching(true));
	const entry = at === undefined ? undefined : feed.at(at);
	const openWhole = () => entry && onOpenWhole(entry);
	const isBorder = entry?.event.kind === BORDER;
	useAction('open', () => (isBorder ? openWhole() : selected && toggle(selected)), selected !== undefined);
	useAction('openWhole', openWhole, entry !== undefined);

	return (
		<div className={styles.frame}>
			{isSearching ? (
				<FeedSearch search={search} read={last - first + 1} total={last} onClose={() => setSearching(false)} />
			) : null}
			<div className={styles.scroller} ref={scroller} onScroll={list.onScroll} role="feed" aria-label="Feed">
				<div className={styles.whole} style={{ height: list.height }}>
					<div className={styles.rows} ref={list.rows} style={{ transform: `translateY(${list.top}px)` }}>
						{range(from, to).flatMap((place) => {
							const row = feed.at(place);
							if (!row) return [];
							const { event, result, decision, waitedMs } = row;
							const id = event.event_id;
							return (
								<FeedRowView
									key={id}
									event={event}
									result={result}
									decision={decision}
									waitedMs={waitedMs}
									context={context}
									position={place - feed.first + 1}
									size={hasOlder ? -1 : feed.end - feed.first}
									isOpen={opened.has(id)}
									isSelected={id === selected}
									onToggle={toggle}
									onSelect={select}
								/>
							);
						})}
					</div>
				</div>
				{children}
			</div>
			{list.isFollowing ? null : (
				<button type="button" className={styles.newer} onClick={list.follow}>
					{list.unseen > 0 ? `${list.unseen} new ↓` : 'Latest ↓'}
				</button>
			)}
		</div>
	);
}

/** The selected row gets the focus once it is rendered, which may be after it was scrolled to. */
function useSelected(selected: string | undefined, rows: { readonly current: HTMLElement | null }): void {
	const focused = useRef<string>(undefined);
	useLayoutEffect(() => {
		if (selected === undefined || selected === focused.current) return;
		const row = rows.current?.querySelector<HTMLElement>(`[data-event="${CSS.escape(selected)}"]`);
		if (!row) return;
		focused.current = selected;
		if (!row.contains(document.activeElement)) row.focus({ preventScroll: true });
	});
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from }, (_, at) => from + at);
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
	const next = new Set(ids);
	if (!next.delete(id)) next.add(id);
	return next;
}
