// One request: the tool, its risk, who wants it and why it is asked, the whole input, and the answers.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { toolName } from '@roost/core/display/tools/tool-name';
import { askOutcome } from '@roost/core/views/ask-words';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import { AnswerBar } from './answer-bar.tsx';
import { AskContext } from './ask-context.tsx';
import styles from './asks.module.css';
import { QuestionForm } from './question-form.tsx';
import { timeLeft } from './time-left.ts';
import { useGuard } from './use-guard.ts';
import { useScrollable } from './use-scrollable.ts';
import { WholeInput } from './whole-input.tsx';

type AskCardProps = {
	ask: AskDetail | AskRow;
	/** When it appeared here. */
	since: number;
	/** `sheet`: it has a dialog for itself, and the answers stay on screen. */
	place?: 'list' | 'sheet';
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
				<QuestionForm ask={ask} guard={guard}>
					<Origin ask={ask} />
					<AskContext ask={ask} />
				</QuestionForm>
			) : (
				<div className={styles.parts}>
					<div ref={body} className={styles.body}>
						<Origin ask={ask} />
						<WholeInput ask={ask} onEnd={guard.seeEnd} />
						<AskContext ask={ask} />
					</div>
					<div className={styles.foot}>
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

function Origin({ ask }: { ask: AskRow }) {
	const session = useWorld().sessions.find(({ id }) => id === ask.sessionId);
	const subagent = ask.actorId.startsWith('subagent:') ? 'a subagent of ' : '';
	return (
		<div className={styles.origin}>
			<p>
				{subagent}
				{session ? `${session.agent} · ` : ''}
				<Link href={`/s/${ask.sessionId}`}>{sanitiseLine(session?.title || ask.sessionId)}</Link>
				{session ? ` · ${sanitiseLine(session.projectPath)}` : ''}
			</p>
			{ask.kind === 'permission' ? <p>Asked because {sanitiseLine(ask.reason)}.</p> : null}
		</div>
	);
}
