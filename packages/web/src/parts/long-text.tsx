// A text of any length, whole: the browser lays out only the part that is on screen.
import { memo } from 'react';
import styles from './long.module.css';

const CHUNK_LINES = 50;
const LINE_PX = 20;

/** The text is shown as it is: it has to be sanitised. */
export const LongText = memo(function LongText({ children, part }: { children: string; part?: string }) {
	const chunks = toChunks(children);
	return (
		<pre className={styles.text} data-part={part}>
			{chunks.length < 2
				? children
				: chunks.map(({ text, lines, key }) => (
						<span key={key} className={styles.chunk} style={{ containIntrinsicBlockSize: `auto ${lines * LINE_PX}px` }}>
							{text}
						</span>
					))}
		</pre>
	);
});

type Chunk = { readonly key: number; readonly text: string; readonly lines: number };

/** Cut only between lines, so that no break appears where there is none. */
function toChunks(text: string): Chunk[] {
	const lines = text.split(/(?<=\n)/);
	const chunks: Chunk[] = [];
	for (let at = 0; at < lines.length; at += CHUNK_LINES) {
		const part = lines.slice(at, at + CHUNK_LINES);
		chunks.push({ key: at, text: part.join(''), lines: part.length });
	}
	return chunks;
}
