// One row of the feed: time, sign, title and outcome; prompts and messages with their text; opened, the whole call.
import { BORDER } from '@roost/client/world/continued-rows';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { RowEntry } from '@roost/core/views/row-list';
import { decidedBy } from '@roost/core/views/words';
import type { FeedRow } from '@roost/protocol/api/feed-rows';
import type { AskId } from '@roost/protocol/ids';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './feed.module.css';
import { Markdown } from './markdown.tsx';
import { ReviewCard } from './review-card.tsx';
import { RowDetails } from './row-details.tsx';
import { signOf } from './signs.ts';

export type RowContext = {
	/** Of the event in full, or of the session that is continued; undefined if there is none. */
	addressOf(row: FeedRow): string | undefined;
	/** The name of a subagent, and how deep it is below the agent; the agent itself has no name. */
	actorOf(row: FeedRow): { readonly name: string | undefined; readonly depth: number };
	/** The card of a request that is pending. */
	askCard(id: AskId): ReactNode;
};

type FeedRowProps = RowEntry & {
	readonly context: RowContext;
	readonly position: number;
	/** -1 while there are older rows. */
	readonly size: number;
	readonly isOpen: boolean;
	readonly isSelected: boolean;
	onToggle(id: string): void;
	onSelect(id: string): void;
};

export const FeedRowView = memo(function FeedRowView(props: FeedRowProps) {
	const { event, result, decision, context, isOpen, isSelected } = props;
	if (event.kind === BORDER) return <Border {...props} />;
	const { sign, tone } = signOf(props);
	const actor = context.actorOf(event);
	const card = event.ask_id && !decision ? context.askCard(event.ask_id) : null;
	const isText = event.text !== undefined;
	return (
		<article
			className={styles.row}
			data-event={event.event_id}
			data-kind={event.kind}
			data-tone={tone}
			aria-posinset={props.position}
			aria-setsize={props.size}
			aria-label={`${timeOf(event.ts)} ${sanitiseLine(event.title)}`}
			tabIndex={-1}
			onFocus={() => (isSelected ? undefined : props.onSelect(event.event_id))}
		>
			<div className={styles.line} data-depth={actor.depth}>
				<time className={styles.time} dateTime={new Date(event.ts).toISOString()}>
					{timeOf(event.ts)}
				</time>
				<span className={styles.sign} aria-hidden="true">
					{sign}
				</span>
				{isText ? (
					<div className={styles.text}>
						{actor.name ? <span className={styles.actor}>{sanitiseLine(actor.name)}</span> : null}
						{event.review ? <ReviewCard review={event.review} /> : <Markdown text={event.text ?? ''} />}
						{event.isCut ? (
							<button type="button" className={styles.more} onClick={() => props.onToggle(event.event_id)}>
								{isOpen ? 'Hide the whole text' : 'Show the whole text'}
							</button>
						) : null}
					</div>
				) : (
					<button type="button" className={styles.title} aria-expanded={isOpen} onClick={() => props.onToggle(event.event_id)}>
						{actor.name ? <span className={styles.actor}>{sanitiseLine(actor.name)}</span> : null}
						<span className={styles.words}>{sanitiseLine(event.title)}</span>
						<Figures event={event} result={result} decision={decision} waitedMs={props.waitedMs} />
					</button>
				)}
			</div>
			{card}
			{isOpen ? <RowDetails entry={props} /> : null}
		</article>
	);
});

/** Not an event: the rows above it are of the session that this one continues. */
function Border({ event, context, position, size, isSelected, onSelect }: FeedRowProps) {
	const title = sanitiseLine(event.title);
	const address = context.addressOf(event);
	return (
		<article
			className={`${styles.row} ${styles.border}`}
			data-event={event.event_id}
			data-kind={event.kind}
			aria-posinset={position}
			aria-setsize={size}
			aria-label={title}
			tabIndex={-1}
			onFocus={() => (isSelected ? undefined : onSelect(event.event_id))}
		>
			{address ? <Link href={address}>{title}</Link> : <span>{title}</span>}
		</article>
	);
}

function Figures({ event, result, decision }: RowEntry) {
	const change = result?.change ?? event.change;
	const took = result?.duration_ms;
	return (
		<span className={styles.figures}>
			{change ? (
				<span>
					<span className={styles.added}>+{change.added}</span> <span className={styles.removed}>−{change.removed}</span>
				</span>
			) : null}
			{decision?.decision ? <span>{sanitiseLine(decisionWords(decision.decision))}</span> : null}
			{result?.is_interrupt ? <span>interrupted</span> : null}
			{took === undefined ? null : <span>{durationWords(took)}</span>}
		</span>
	);
}

const OUTCOMES: Readonly<Record<string, string>> = {
	allow: 'allowed',
	deny: 'denied',
	ask: 'asked',
	no_opinion: 'left to the agent',
};

export function decisionWords({ type, by, rule_id, principal }: NonNullable<FeedRow['decision']>): string {
	const origin = { decided_by: by, ...(rule_id ? { rule_id } : {}), ...(principal ? { principal } : {}) };
	return `${OUTCOMES[type] ?? type} ${decidedBy(origin)}`;
}

function timeOf(ts: number): string {
	return new Date(ts).toLocaleTimeString(undefined, { hour12: false });
}

const MINUTE_MS = 60_000;

function durationWords(ms: number): string {
	if (ms < 1_000) return `${Math.round(ms)} ms`;
	return ms < MINUTE_MS
		? `${(ms / 1_000).toFixed(1)} s`
		: `${Math.floor(ms / MINUTE_MS)} m ${Math.round((ms % MINUTE_MS) / 1_000)} s`;
}
