// "Always": allows or denies this call, and adds the rules that decide calls like it from now on.

import { sanitiseLine } from '@roost/core/display/sanitise';
import {
	type Always,
	aboutsOf,
	coversCall,
	DECISIONS,
	knownIn,
	rulesOf,
	SCOPES,
	startAlways,
	toAnswer,
} from '@roost/core/rules/always';
import { ABOUT_WORDS, alwaysSentence, SCOPE_WORDS, UNCOVERED } from '@roost/core/rules/always-words';
import type { AskRow } from '@roost/protocol/ask';
import { useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import { WouldMatch } from '../parts/would-match.tsx';
import { AllowButton } from './allow-button.tsx';
import styles from './asks.module.css';
import type { Guard } from './guard.ts';
import { GuardedButton } from './guarded-button.tsx';

const ANYWHERE = { path: '' };

export function AlwaysForm({ ask, guard, onCancel }: { ask: AskRow; guard: Guard; onCancel: () => void }) {
	const source = useSource();
	const world = useWorld();
	const [always, setAlways] = useState(() => startAlways(ask, knownIn(ask, { ...world, project: ANYWHERE })));
	const change = (part: Partial<Always>) => setAlways((before) => ({ ...before, ...part }));
	const answer = toAnswer(always, ask);
	const { decision, about, scope } = always;
	const send = () => (answer.ok ? source.approve(ask, answer.value) : undefined);
	return (
		<div className={styles.form}>
			<Radios
				name={`decision-${ask.id}`}
				legend="Always"
				values={DECISIONS}
				words={DECISION_WORDS}
				value={decision}
				onPick={(next) => change({ decision: next })}
			/>
			<Radios
				name={`about-${ask.id}`}
				legend="What"
				values={aboutsOf(ask)}
				words={ABOUT_WORDS}
				value={about}
				onPick={(next) => change({ about: next })}
			/>
			{about === 'pattern' ? <Patterns always={always} onChange={change} /> : null}
			<Radios
				name={`scope-${ask.id}`}
				legend="Where"
				values={SCOPES}
				words={SCOPE_WORDS}
				value={scope}
				onPick={(next) => change({ scope: next })}
			/>
			<p>{answer.ok ? sanitiseLine(alwaysSentence(always, ask)) : answer.error.message}</p>
			{answer.ok && !coversCall(always, ask) ? <p className={styles.warning}>{UNCOVERED[decision]}</p> : null}
			{rulesOf(always, ask).map((rule) => (
				<WouldMatch key={rule.argsPattern ?? rule.tool} rule={{ ...rule, decision, scope, ...scopeOf(always) }} />
			))}
			<div className={styles.buttons}>
				<button type="button" onClick={onCancel}>
					Cancel
				</button>
				{decision === 'allow' ? (
					<AllowButton risk={ask.risk} guard={guard} isIncomplete={!answer.ok} onAllow={send}>
						Always allow
					</AllowButton>
				) : (
					<GuardedButton className={styles.denyLast} isOff={!guard.isReady || !answer.ok} onPress={send}>
						Always deny
					</GuardedButton>
				)}
			</div>
		</div>
	);
}

/** The user has only one scope. */
function scopeOf({ scope, known }: Always): { scopeId?: string } {
	if (scope === 'user') return {};
	return { scopeId: scope === 'session' ? known.scope.sessionId : known.scope.projectId };
}

const DECISION_WORDS = { allow: 'allow', deny: 'deny' } as const;

type RadiosProps<T extends string> = {
	name: string;
	legend: string;
	values: readonly T[];
	words: Readonly<Record<T, string>>;
	value: T;
	onPick: (value: T) => void;
};

function Radios<T extends string>({ name, legend, values, words, value, onPick }: RadiosProps<T>) {
	return (
		<fieldset className={styles.radios}>
			<legend>{legend}</legend>
			{values.map((one) => (
				<label key={one}>
					<input type="radio" name={name} checked={one === value} onChange={() => onPick(one)} />
					<span>{words[one]}</span>
				</label>
			))}
		</fieldset>
	);
}

/** One for each part of a shell line. */
function Patterns({ always, onChange }: { always: Always; onChange: (part: Partial<Always>) => void }) {
	const { decision, patterns } = always;
	const fields = patterns[decision].map((text, at) => ({ text, at, key: `${decision}.${at}` }));
	return fields.map(({ text, at, key }) => (
		<input
			key={key}
			type="text"
			aria-label={`Pattern ${at + 1}`}
			value={text}
			onChange={({ target }) => onChange({ patterns: { ...patterns, [decision]: patterns[decision].with(at, target.value) } })}
		/>
	));
}
