// What the agent changed: `/s/:id/changes`. Files, the diff of one, and comments on its lines that are sent as one prompt.
import { sinceWords } from '@roost/core/display/review';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Changes, ChangesBase } from '@roost/protocol/api/changes';
import { type Since, since as sinceSchema } from '@roost/protocol/feed/review';
import type { SessionTile } from '@roost/protocol/session-row';
import { type RefObject, useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { type Read, useRead } from '../data/use-read.ts';
import { useAction } from '../keys/use-action.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { SessionFrame } from '../session/session-frame.tsx';
import styles from './changes.module.css';
import { writtenIn } from './drafts.ts';
import { FileList } from './file-list.tsx';
import { FilePane } from './file-pane.tsx';
import { ReviewBar } from './review-bar.tsx';
import { useDrafts } from './use-drafts.ts';

export function ChangesPage() {
	return <SessionFrame isOfMachine>{(row) => <SessionChanges row={row} />}</SessionFrame>;
}

function SessionChanges({ row: { id } }: { row: SessionTile }) {
	const { api, stream } = useConnected();
	const [search, setSearch] = useSearchParams();
	const since = sinceSchema.safeParse(search.get('since')).data ?? 'start';
	const read = useRead(`changes ${id} ${since}`, async () => await api.changes.list({ id, since }));
	const again = useRef(read.again);
	again.current = read.again;
	useEffect(() => stream.onChanges((changed) => (changed === id ? again.current() : undefined)), [stream, id]);

	const setPart = (part: Record<string, string | undefined>) =>
		setSearch((before) => {
			const after = new URLSearchParams(before);
			for (const [name, value] of Object.entries(part)) value === undefined ? after.delete(name) : after.set(name, value);
			return after;
		});
	const choose = (base: Since) => setPart({ since: base, file: undefined });
	if (!read.value)
		return (
			<div className={styles.empty}>
				<NotRead {...read} />
			</div>
		);
	if (!read.value.isKnown)
		return (
			<div className={styles.empty}>
				<BaseChoice bases={read.value.bases} since={since} onChoose={choose} />
				<p>{sanitiseLine(read.value.why)}</p>
				{since === 'head' ? null : <Button onClick={() => choose('head')}>Compare with the last commit</Button>}
			</div>
		);
	return (
		<Compared
			key={since}
			{...{ id, since, read, changes: read.value, file: search.get('file') ?? undefined }}
			onChoose={choose}
			onSelect={(file) => setPart({ file })}
		/>
	);
}

type ComparedProps = {
	readonly id: SessionTile['id'];
	readonly since: Since;
	readonly read: Read<Changes>;
	readonly changes: Extract<Changes, { isKnown: true }>;
	/** The path in the address. */
	readonly file: string | undefined;
	onChoose(since: Since): void;
	onSelect(path: string | undefined): void;
};

function Compared({ id, since, read, changes, file, onChoose, onSelect }: ComparedProps) {
	const { api } = useConnected();
	const drafts = useDrafts(id);
	const detail = useRead(`session ${id}`, async () => await api.record.session({ id })).value;
	const whyNot = detail?.driving.takesPrompts === false ? detail.driving.why : undefined;
	const place = useRef<HTMLDivElement>(null);
	useLineKeys(place);
	const { files, note, leftOut } = changes;
	const selected = files.find(({ path }) => path === file) ?? (file === undefined ? files[0] : undefined);
	const shown = useLast(selected);
	return (
		<div className={styles.page} ref={place} data-open={file !== undefined}>
			<div className={styles.side}>
				<BaseChoice bases={changes.bases} since={since} onChoose={onChoose} />
				{note ? <p className={styles.note}>{note}</p> : null}
				{files.length === 0 && leftOut.length === 0 ? (
					<Empty>No changes since {sinceWords(since)}.</Empty>
				) : (
					<FileList comments={writtenIn(drafts)} selected={shown?.path} {...{ changes, onSelect }} />
				)}
				<ReviewBar {...{ id, since, drafts, whyNot }} onRefused={read.again} />
			</div>
			{shown ? (
				<FilePane
					key={shown.path}
					{...{ id, changes, file: shown, drafts, canComment: detail !== undefined && whyNot === undefined }}
					onBack={() => onSelect(undefined)}
				/>
			) : (
				<div />
			)}
		</div>
	);
}

/** A file that no longer differs stays open until another one is chosen. */
function useLast<T>(value: T | undefined): T | undefined {
	const last = useRef(value);
	if (value !== undefined) last.current = value;
	return last.current;
}

type BaseChoiceProps = { readonly bases: readonly ChangesBase[]; readonly since: Since; onChoose(since: Since): void };

function BaseChoice({ bases, since, onChoose }: BaseChoiceProps) {
	const offered = bases.some((base) => base.since === since) ? bases : [{ since }, ...bases];
	return (
		<div className={styles.base}>
			<select aria-label="Changes since" value={since} onChange={({ target }) => onChoose(sinceSchema.parse(target.value))}>
				{offered.map((base) => (
					<option key={base.since} value={base.since}>
						Since {sinceWords(base.since)}
						{base.at === undefined ? '' : ` · ${timeOf(base.at)}`}
					</option>
				))}
			</select>
		</div>
	);
}

function timeOf(at: number): string {
	const date = new Date(at);
	const time = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
	return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}

/** `j` and `k` walk through the files or the lines, whichever has the focus; `c` comments on the line. */
function useLineKeys(place: RefObject<HTMLElement | null>): void {
	function move(step: 1 | -1): void {
		const kind = document.activeElement?.matches('[data-file]') ? '[data-file]' : '[data-line]';
		const stops = [...(place.current?.querySelectorAll<HTMLElement>(kind) ?? [])];
		const at = stops.findIndex((stop) => stop.contains(document.activeElement));
		stops[at < 0 ? 0 : at + step]?.focus();
	}
	useAction('next', () => move(1));
	useAction('previous', () => move(-1));
	function click(shiftKey: boolean): void {
		const active = document.activeElement;
		if (active?.matches('[data-line]')) active.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey }));
	}
	useAction('comment', () => click(false));
	useAction('commentRange', () => click(true));
}
