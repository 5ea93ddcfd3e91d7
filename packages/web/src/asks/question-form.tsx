// The questions of an agent: choose among its options, or answer in your own words.
import { questionsOf } from '@roost/core/answers/ask-questions';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import type { Question } from '@roost/protocol/feed/decisions';
import { useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import styles from './asks.module.css';
import { useReady } from './use-ready.ts';

type Picked = { labels: readonly string[]; own: string };
const NOTHING: Picked = { labels: [], own: '' };

export function QuestionForm({ ask, since }: { ask: AskRow; since: number }) {
	const source = useSource();
	const { answered } = useWorld();
	const isReady = useReady(since);
	const questions = questionsOf(ask);
	const [picked, setPicked] = useState<Readonly<Record<string, Picked>>>({});
	if (answered.has(ask.id)) return <p className={styles.sent}>Answer sent.</p>;
	const answers = Object.fromEntries(questions.map(({ question }) => [question, toAnswer(picked[question] ?? NOTHING)]));
	const isComplete = questions.length > 0 && Object.values(answers).every((answer) => answer !== '');
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				source.answer(ask, answers);
			}}
		>
			{questions.map((one) => (
				<Choices
					key={one.question}
					question={one}
					picked={picked[one.question] ?? NOTHING}
					onPick={(next) => setPicked((before) => ({ ...before, [one.question]: next }))}
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

type ChoicesProps = { question: Question; picked: Picked; onPick: (picked: Picked) => void };

function Choices({ question: { question, options, multi_select }, picked, onPick }: ChoicesProps) {
	const toggle = (label: string) => {
		if (!multi_select) return onPick({ ...picked, labels: [label] });
		const rest = picked.labels.filter((one) => one !== label);
		return onPick({ ...picked, labels: rest.length < picked.labels.length ? rest : [...rest, label] });
	};
	return (
		<fieldset className={styles.question}>
			<legend>{sanitiseLine(question)}</legend>
			{options.map(({ label, description }) => (
				<label key={label}>
					<input
						type={multi_select ? 'checkbox' : 'radio'}
						name={question}
						checked={picked.labels.includes(label)}
						onChange={() => toggle(label)}
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
				value={picked.own}
				onChange={({ target }) => onPick({ labels: multi_select ? picked.labels : [], own: target.value })}
			/>
		</fieldset>
	);
}

function toAnswer({ labels, own }: Picked): string {
	return [...labels, ...(own.trim() === '' ? [] : [own.trim()])].join(', ');
}
