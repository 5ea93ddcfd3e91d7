// Words in every session: hits by session, each with a link to its event.
import { markWords } from '@roost/core/display/mark-words';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { foundWords } from '@roost/core/views/found-words';
import { MOST_HITS, type SearchFound, type SearchHit } from '@roost/protocol/api/search';
import type { SessionRow } from '@roost/protocol/session-row';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import { useAction } from '../keys/use-action.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Empty, Page, Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import styles from './search.module.css';

export function Search() {
	const [params] = useSearchParams();
	const words = params.get('q')?.trim() ?? '';
	return (
		<Page title="Search">
			<Words key={words} words={words} />
			{words === '' ? (
				<Empty>Search prompts, responses, commands and results of all sessions.</Empty>
			) : (
				<Found key={words} words={words} />
			)}
		</Page>
	);
}

/** What is typed is searched on Enter, so that each search is an address. */
function Words({ words }: { words: string }) {
	const [, setParams] = useSearchParams();
	const [typed, setTyped] = useState(words);
	const field = useRef<HTMLInputElement>(null);
	const focus = () => {
		field.current?.focus();
		field.current?.select();
	};
	useAction('find', focus);
	useAction('search', focus);
	useEffect(() => {
		if (words === '') field.current?.focus();
	}, [words]);
	return (
		<search>
			<form
				className={styles.words}
				onSubmit={(event) => {
					event.preventDefault();
					field.current?.blur();
					setParams({ q: typed.trim() });
				}}
			>
				<TextField ref={field} label="Words" value={typed} onChange={setTyped} enterKeyHint="search" />
				<Button type="submit" look="primary">
					Search
				</Button>
			</form>
		</search>
	);
}

function Found({ words }: { words: string }) {
	const { api } = useConnected();
	const { sessions } = useWorld();
	const found = useRead<SearchFound>(`search ${words}`, () => api.record.search({ words, limit: MOST_HITS }));
	if (found.value === undefined) return <NotRead {...found} />;
	const { hits } = found.value;
	const bySession = [...Map.groupBy(hits, ({ sessionId }) => sessionId)];
	return (
		<>
			<p role="status" className={styles.status} data-state={hits.length === 0 ? 'empty' : 'found'}>
				{hits.length === MOST_HITS ? `The newest ${MOST_HITS} hits. Add a word to narrow the search.` : foundWords(found.value)}
			</p>
			{bySession.map(([id, own]) => (
				<Part key={id} title={<SessionTitle id={id} row={sessions.find((row) => row.id === id)} />}>
					<Rows label={`Hits in ${id}`}>
						{own.map((hit) => (
							<Hit key={hit.eventId} hit={hit} words={words} />
						))}
					</Rows>
				</Part>
			))}
		</>
	);
}

function SessionTitle({ id, row }: { id: string; row: SessionRow | undefined }) {
	return <Link href={`/s/${id}`}>{sanitiseLine(row?.title || id)}</Link>;
}

function Hit({ hit: { sessionId, offset, ts, kind, title, excerpt }, words }: { hit: SearchHit; words: string }) {
	return (
		<Row
			title={
				<Link href={`/s/${sessionId}/e/${offset}`} data-row={offset} className={styles.hit}>
					{markWords(sanitiseLine(excerpt || title), words).map(({ from, text, isHit }) =>
						isHit ? <mark key={from}>{text}</mark> : <span key={from}>{text}</span>,
					)}
				</Link>
			}
			about={
				<>
					{sanitiseLine(excerpt && title !== excerpt ? `${title} · ${kind}` : kind)} · <When at={ts} />
				</>
			}
		/>
	);
}
