// One request: the tool, its risk, who wants it and why it is asked, the whole input, and the answers.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { toolName } from '@roost/core/display/tools/tool-name';
import { askOutcome } from '@roost/core/views/ask-words';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { awayWords } from '../data/away.ts';
import { useHasSeveral, useRunner } from '../data/use-fleet.tsx';
import { useWorld } from '../data/use-world.ts';
import { AnswerBar } from './answer-bar.tsx';
import { AskContext } from './ask-context.tsx';
import styles from './asks.module.css';
import { QuestionForm } from './question-form.tsx';
import { Reconnecting } from './reconnecting.tsx';
import { timeLeft } from './time-left.ts';
import { useGuard } from './use-guard.ts';
import { useScrollable } from './use-scrollable.ts';
import { WholeInput } from './whole-input.tsx';

type AskCardProps = {
	ask: AskDetail | AskRow;
	/** When it appeared here. */
	since: number;
	/** `sheet`: it has a dialog for itself, and the answers stay on screen. `session`: on the page of its session. */
	place?: 'list' | 'sheet' | 'session';
	/** Before the name of the tool. */
	before?: ReactNode;
	/** After the time left. */
	after?: ReactNode;
};

export function AskCard({ ask, since, place = 'list', before, after }: AskCardProps) {
	const card = useRef<HTMLElement>(null);
	const body = useRef<HTMLDivElement>(null);
	useScrollable(body);
	const guard = useGuard(ask, since, card);
	const [hasFocus, setFocus] = useState(false);
	const isPending = ask.state === 'pending';
	const note = place === 'sheet' && isPending ? <Reconnecting off={guard.off} /> : null;
	const title = ask.kind === 'question' ? 'Question' : sanitiseLine(toolName(ask.tool));
	return (
		<article
			ref={card}
			className={styles.card}
			data-place={place}
			data-risk={ask.risk}
			data-ask={ask.id}
			data-state={ask.state}
			aria-label={title}
			tabIndex={-1}
			onFocus={() => setFocus(true)}
			onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
		>
			<header className={styles.head}>
				{before}
				<h2>{title}</h2>
				{ask.kind === 'permission' ? <span className={styles.risk}>{ask.risk} risk</span> : null}
				<TimeLeft ask={ask} />
				{after}
			</header>
			{isPending && ask.kind === 'question' ? (
				<QuestionForm ask={ask} guard={guard} note={note}>
					<Origin ask={ask} isHere={place === 'session'} />
					<AskContext ask={ask} />
				</QuestionForm>
			) : (
				<div className={styles.parts}>
					<div ref={body} className={styles.body}>
						<Origin ask={ask} isHere={place === 'session'} />
						<WholeInput ask={ask} onEnd={guard.seeEnd} />
						<AskContext ask={ask} />
					</div>
					<div className={styles.foot}>
						{note}
						{isPending ? <AnswerBar ask={ask} guard={guard} hasKeys={hasFocus || place === 'sheet'} /> : <Outcome ask={ask} />}
					</div>
				</div>
			)}
		</article>
	);
}

const LONGEST = 80;

function Outcome({ ask }: { ask: AskRow }) {
	const shorten = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
	return (
		<p className={styles.outcome} role="status">
			{sanitiseLine(askOutcome(ask, shorten))}
		</p>
	);
}

function TimeLeft({ ask }: { ask: AskRow }) {
	const { now } = useWorld();
	return <span className={styles.left}>{ask.state === 'pending' ? timeLeft(ask.expiresAt, now) : ''}</span>;
}

/** `isHere`: the page already names the session, and the row above the card the subagent. */
function Origin({ ask, isHere }: { ask: AskRow; isHere: boolean }) {
	const reason = ask.kind === 'permission' ? <p>Asked because {sanitiseLine(ask.reason)}.</p> : null;
	if (isHere && reason === null) return null;
	return (
		<div className={styles.origin}>
			{isHere ? null : <SessionOf ask={ask} />}
			{reason}
		</div>
	);
}

function SessionOf({ ask }: { ask: AskRow }) {
	const session = useWorld().sessions.find(({ id }) => id === ask.sessionId);
	return (
		<p>
			<RunnerOf />
			{ask.actorId.startsWith('subagent:') ? 'a subagent of ' : ''}
			{session ? `${session.agent} · ` : ''}
			<Link href={`/s/${ask.sessionId}`}>{sanitiseLine(session?.title || ask.sessionId)}</Link>
			{session ? (
				<>
					{' · '}
					<span className={styles.folder}>{sanitiseLine(session.projectPath)}</span>
				</>
			) : null}
		</p>
	);
}

/** Only where there are several. */
function RunnerOf() {
	const { row } = useRunner();
	const hasSeveral = useHasSeveral();
	const { away, now } = useWorld();
	if (row === undefined || (!hasSeveral && away === null)) return null;
	return (
		<>
			<strong className={styles.runner}>{sanitiseLine(row.name)}</strong>
			{away ? <span className={styles.away}> ({awayWords(away, now)})</span> : null}
			{' · '}
		</>
	);
}
