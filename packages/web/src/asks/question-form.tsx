// The questions of an agent: choose among its options, or answer in your own words.
import { questionsOf } from '@roost/core/answers/ask-questions';
import { answersTo, answerTo, ownPlace, type Picks, pick, pickOwn } from '@roost/core/answers/question-picks';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';
import { useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import styles from './asks.module.css';
import { useReady } from './use-ready.ts';

const NOTHING: Picks = { chosen: new Set(), own: '' };

export function QuestionForm({ ask, since }: { ask: AskRow; since: number }) {
	const source = useSource();
	const { answered } = useWorld();
	const isReady = useReady(since);
	const questions = questionsOf(ask);
	const [picks, setPicks] = useState<readonly Picks[]>(() => questions.map(() => NOTHING));
	if (answered.has(ask.id)) return <p className={styles.sent}>Answer sent.</p>;
	const isComplete = questions.length > 0 && questions.every((one, at) => answerTo(one, picks[at] ?? NOTHING) !== undefined);
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				source.answer(ask, answersTo(questions, picks));
			}}
		>
			{questions.map((one, at) => (
				<Choices
					key={one.question}
					question={one}
					picks={picks[at] ?? NOTHING}
					onPick={(next) => setPicks((before) => before.with(at, next))}
				/>
			))}
			<div className={styles.buttons}>
				<button type="button" disabled={!isReady} onClick={() => source.answer(ask, {})}>
					Decline to answer
				</button>
				<button type="submit" className={styles.allow} disabled={!isReady || !isComplete}>
					Send answer
				</button>
			</div>
		</form>
	);
}

type ChoicesProps = { question: Question; picks: Picks; onPick: (picks: Picks) => void };

function Choices({ question, picks, onPick }: ChoicesProps) {
	const change = (own: string) => onPick({ own, chosen: pickOwn({ chosen: picks.chosen, own }, question) });
	return (
		<fieldset className={styles.question}>
			<legend>{sanitiseLine(question.question)}</legend>
			{question.options.map(({ label, description }, place) => (
				<label key={label}>
					<input
						type={question.multi_select ? 'checkbox' : 'radio'}
						name={question.question}
						checked={picks.chosen.has(place)}
						onChange={() => onPick({ ...picks, chosen: pick(picks.chosen, place, question) })}
					/>
					<span>
						{sanitiseLine(label)}
						{description ? <small>{sanitiseLine(description)}</small> : null}
					</span>
				</label>
			))}
			<input
				type="text"
				aria-label="Answer in your own words"
				placeholder="Or answer in your own words"
				value={picks.own}
				data-chosen={picks.chosen.has(ownPlace(question))}
				onChange={({ target }) => change(target.value)}
			/>
		</fieldset>
	);
}
