// A diff of any length, whole: line numbers and signs are drawn by CSS, and only the part on screen is laid out.
import type { DiffLine, Hunk } from '@roost/core/display/line-diff';
import { sanitiseBlock } from '@roost/core/display/sanitise';
import { memo } from 'react';
import styles from './long.module.css';

const CHUNK_LINES = 50;
const LINE_PX = 20;

export const DiffLines = memo(function DiffLines({ hunks }: { hunks: readonly Hunk[] }) {
	return (
		<div className={styles.diff}>
			{toChunks(hunks).map(({ key, begins, lines }) => (
				<div
					key={key}
					className={styles.chunk}
					data-begins={begins}
					style={{ containIntrinsicBlockSize: `auto ${lines.length * LINE_PX}px` }}
				>
					{lines.map(({ line, place }) => (
						<Line key={place} line={line} />
					))}
				</div>
			))}
		</div>
	);
});

const KINDS = { ' ': 'same', '-': 'removed', '+': 'added' } as const;

function Line({ line: { sign, text, number } }: { line: DiffLine }) {
	return (
		<div className={styles.line} data-kind={KINDS[sign]} data-number={number}>
			{sanitiseBlock(text) || '\n'}
		</div>
	);
}

type Chunk = { key: string; begins: 'hunk' | undefined; lines: { line: DiffLine; place: number }[] };

function toChunks(hunks: readonly Hunk[]): Chunk[] {
	return hunks.flatMap((hunk, part) => {
		const placed = hunk.map((line, place) => ({ line, place }));
		return Array.from({ length: Math.ceil(hunk.length / CHUNK_LINES) }, (_, at): Chunk => {
			const from = at * CHUNK_LINES;
			const begins = part > 0 && at === 0 ? 'hunk' : undefined;
			return { key: `${part}.${from}`, begins, lines: placed.slice(from, from + CHUNK_LINES) };
		});
	});
}
