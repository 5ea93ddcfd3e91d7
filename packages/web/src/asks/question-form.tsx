// The questions of an agent: choose among its options, or answer in your own words.
import { questionsOf } from '@roost/core/answers/ask-questions';
import { answersTo, answerTo, ownPlace, type Picks, pick, pickOwn } from '@roost/core/answers/question-picks';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';
import { type ReactNode, useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import styles from './asks.module.css';
import type { Guard } from './guard.ts';
import { GuardedButton } from './guarded-button.tsx';
import { useSentWords } from './use-sent-words.ts';

const NOTHING: Picks = { chosen: new Set(), own: '' };

type QuestionFormProps = { ask: AskRow; guard: Guard; note: ReactNode; children: ReactNode };

/** `children`: who asks; `note`: above the answers. The answers stay at the bottom of a request that fills the screen. */
export function QuestionForm({ ask, guard, note, children }: QuestionFormProps) {
	const source = useSource();
	const { answered } = useWorld();
	const sent = useSentWords(ask);
	const questions = questionsOf(ask);
	const [picks, setPicks] = useState<readonly Picks[]>(() => questions.map(() => NOTHING));
	const isComplete = questions.length > 0 && questions.every((one, at) => answerTo(one, picks[at] ?? NOTHING) !== undefined);
	const canSend = guard.isReady && isComplete;
	const send = () => source.answer(ask, answersTo(questions, picks));
	return (
		<form
			className={styles.parts}
			onSubmit={(event) => {
				event.preventDefault();
				if (canSend) send();
			}}
		>
			<div className={styles.body}>
				{children}
				{questions.map((one, at) => (
					<Choices
						key={one.question}
						question={one}
						picks={picks[at] ?? NOTHING}
						onPick={(next) => setPicks((before) => before.with(at, next))}
					/>
				))}
			</div>
			<div className={styles.foot}>
				{note}
				{answered.has(ask.id) ? (
					<p className={styles.sent}>{sent}</p>
				) : (
					<div className={styles.buttons}>
						<GuardedButton isOff={!guard.isReady} onPress={() => source.answer(ask, {})}>
							Decline to answer
						</GuardedButton>
						<GuardedButton type="submit" className={styles.allow} isOff={!canSend} onPress={send}>
							Send answer
						</GuardedButton>
					</div>
				)}
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
