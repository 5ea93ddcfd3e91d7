// One request: the tool, its risk, who wants it and why it is asked, the whole input, and the answers.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { toolName } from '@roost/core/display/tools/tool-name';
import { askOutcome } from '@roost/core/views/ask-words';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import { useWorld } from '../data/use-world.ts';
import { AnswerBar } from './answer-bar.tsx';
import { AskInput } from './ask-input.tsx';
import styles from './asks.module.css';
import { QuestionForm } from './question-form.tsx';
import { timeLeft } from './time-left.ts';

export function AskCard({ ask, since }: { ask: AskDetail | AskRow; since: number }) {
	const isPending = ask.state === 'pending';
	const title = ask.kind === 'question' ? 'Question' : sanitiseLine(toolName(ask.tool));
	return (
		<article className={styles.card} data-risk={ask.risk} data-ask={ask.id} data-state={ask.state} aria-label={title}>
			<header className={styles.head}>
				<h2>{title}</h2>
				{ask.kind === 'permission' ? <span className={styles.risk}>{ask.risk} risk</span> : null}
				<TimeLeft ask={ask} />
			</header>
			<Origin ask={ask} />
			{isPending && ask.kind === 'question' ? <QuestionForm ask={ask} since={since} /> : <AskInput ask={ask} />}
			{isPending && ask.kind === 'permission' ? <AnswerBar ask={ask} since={since} /> : null}
			{isPending ? null : (
				<p className={styles.outcome} role="status">
					{sanitiseLine(askOutcome(ask, shorten))}
				</p>
			)}
		</article>
	);
}

const LONGEST = 80;

function shorten(text: string): string {
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function TimeLeft({ ask }: { ask: AskRow }) {
	const { now } = useWorld();
	if (ask.state !== 'pending') return null;
	return <span className={styles.left}>{timeLeft(ask.expiresAt, now)}</span>;
}

function Origin({ ask }: { ask: AskRow }) {
	const session = useWorld().sessions.find(({ id }) => id === ask.sessionId);
	const subagent = ask.actorId.startsWith('subagent:') ? 'a subagent of ' : '';
	const where = session ? `${subagent}${session.agent} · ${session.title || session.id} · ${session.projectPath}` : ask.sessionId;
	return (
		<div className={styles.origin}>
			<p>{sanitiseLine(where)}</p>
			{ask.kind === 'permission' ? <p>Asked because {sanitiseLine(ask.reason)}.</p> : null}
		</div>
	);
}
