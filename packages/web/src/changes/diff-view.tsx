// The diff of one file. Only the pieces near the screen have rows; the others keep their height.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { DiffRow } from '@roost/protocol/api/changes';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { CommentBox } from './comment-box.tsx';
import styles from './diff.module.css';
import { DiffLineView } from './diff-line.tsx';
import type { DraftComment } from './drafts.ts';
import { indexLines, type PlacedComments, placeComments, rangeOf } from './place-comments.ts';
import type { Diff } from './use-diff.ts';
import type { DraftActions } from './use-drafts.ts';
import { useLineTaps } from './use-line-taps.ts';
import { useTokens } from './use-tokens.ts';

const PIECE_ROWS = 100;
const ROW_PX = 20;
/** Rendered beyond the edges of the screen. */
const MARGIN = '800px';

type DiffViewProps = {
	readonly path: string;
	readonly diff: Diff;
	readonly total: number;
	/** Of this file. */
	readonly comments: readonly DraftComment[];
	readonly actions: DraftActions;
	readonly canComment: boolean;
};

export function DiffView({ path, diff, total, comments, actions, canComment }: DiffViewProps) {
	const scroller = useRef<HTMLDivElement>(null);
	useLineTaps(scroller, '[data-type]');
	const { rows } = diff;
	const index = useMemo(() => indexLines(rows), [rows]);
	const placed = useMemo(() => placeComments(comments, index), [comments, index]);
	const [stop, setStop] = useState(1);
	const anchor = useRef<number | undefined>(undefined);
	const pieces = Math.ceil(total / PIECE_ROWS);
	const { near, heights } = useNearPieces(scroller, pieces);
	const latest = useRef({ rows, comments, actions });
	latest.current = { rows, comments, actions };

	const comment = useCallback(
		(at: number, isRange: boolean) => {
			const now = latest.current;
			const range = (isRange ? rangeOf(now.rows, anchor.current ?? at, at) : undefined) ?? rangeOf(now.rows, at, at);
			if (!range) return;
			const opened = isRange ? now.comments.find(({ id }) => id === newest(now.comments)) : undefined;
			if (opened) now.actions.change(opened.id, range);
			else now.actions.add({ path, ...range });
			if (!isRange) anchor.current = at;
		},
		[path],
	);

	return (
		<div className={styles.scroller} ref={scroller}>
			<Apart placed={placed} actions={actions} />
			{Array.from({ length: pieces }, (_, piece) => (
				<div
					// A piece has no other identity than its place.
					key={`piece ${String(piece)}`}
					data-piece={piece}
					style={near.has(piece) ? undefined : { height: heights.get(piece) ?? pieceRows(total, piece) * ROW_PX }}
				>
					{near.has(piece) ? (
						<Piece
							from={piece * PIECE_ROWS}
							to={Math.min(total, (piece + 1) * PIECE_ROWS)}
							{...{ path, diff, placed, actions, canComment, stop }}
							onComment={comment}
							onFocus={setStop}
						/>
					) : null}
				</div>
			))}
		</div>
	);
}

function pieceRows(total: number, piece: number): number {
	return Math.min(PIECE_ROWS, total - piece * PIECE_ROWS);
}

/** The comment that is being written. */
function newest(comments: readonly DraftComment[]): string | undefined {
	return comments.findLast(({ isOpen }) => isOpen)?.id;
}

/** Comments whose lines changed or are not shown stay visible, and are never moved to another line. */
function Apart({ placed: { stale, apart }, actions }: { placed: PlacedComments; actions: DraftActions }) {
	return (
		<>
			{stale.map((comment) => (
				<CommentBox
					key={comment.id}
					comment={comment}
					actions={actions}
					note="The line changed. Delete this comment to send the others."
				/>
			))}
			{apart.map((comment) => (
				<CommentBox key={comment.id} comment={comment} actions={actions} note="This line is not in the diff." />
			))}
		</>
	);
}

type PieceProps = {
	readonly path: string;
	readonly diff: Diff;
	readonly from: number;
	readonly to: number;
	readonly placed: PlacedComments;
	readonly actions: DraftActions;
	readonly canComment: boolean;
	readonly stop: number;
	onComment(at: number, isRange: boolean): void;
	onFocus(at: number): void;
};

function Piece({ path, diff: { rows, need }, from, to, placed, actions, canComment, stop, onComment, onFocus }: PieceProps) {
	const own = useSlice(rows, from, to);
	const tokens = useTokens(path, own);
	useEffect(() => {
		need(from);
		need(to - 1);
	}, [need, from, to]);
	return own.map((row, place) => {
		const at = from + place;
		const key = `row ${String(at)}`;
		if (!row) return <div key={key} className={styles.unread} />;
		if (row.type === 'hunk')
			return (
				<div key={key} className={styles.hunk}>
					{sanitiseLine(row.text)}
				</div>
			);
		const line = { row, at, canComment, onComment, onFocus, tokens: tokens.get(row), isStop: stop === at };
		return (
			<div key={key}>
				<DiffLineView {...line} />
				{placed.byRow.get(at)?.map((comment) => (
					<CommentBox key={comment.id} comment={comment} actions={actions} />
				))}
			</div>
		);
	});
}

/** The same array as long as it has the same rows. */
function useSlice(rows: readonly (DiffRow | undefined)[], from: number, to: number): readonly (DiffRow | undefined)[] {
	const kept = useRef<readonly (DiffRow | undefined)[]>([]);
	const slice = rows.slice(from, to);
	const isSame = kept.current.length === slice.length && slice.every((row, at) => row === kept.current[at]);
	if (!isSame) kept.current = slice;
	return kept.current;
}

function useNearPieces(scroller: RefObject<HTMLDivElement | null>, pieces: number) {
	const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0]));
	const heights = useRef(new Map<number, number>());
	useLayoutEffect(() => {
		const box = scroller.current;
		if (!box || pieces === 0) return undefined;
		const observer = new IntersectionObserver(
			(entries) =>
				setNear((before) => {
					const after = new Set(before);
					for (const { target, isIntersecting, boundingClientRect } of entries) {
						const piece = Number(target.getAttribute('data-piece'));
						if (isIntersecting) after.add(piece);
						else if (after.delete(piece)) heights.current.set(piece, boundingClientRect.height);
					}
					return after;
				}),
			{ root: box, rootMargin: `${MARGIN} 0px` },
		);
		for (const piece of box.querySelectorAll('[data-piece]')) observer.observe(piece);
		return () => observer.disconnect();
	}, [scroller, pieces]);
	return { near, heights: heights.current };
}
