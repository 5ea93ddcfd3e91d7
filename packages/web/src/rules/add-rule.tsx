// A form for a new rule, with the past calls that it would have matched.
import { NO_TOOL, PATTERN_HELP } from '@roost/core/rules/rule-words';
import type { RuleBody } from '@roost/protocol/api/rules';
import { type RuleDecision, ruleDecision } from '@roost/protocol/rule';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { Button } from '../parts/button.tsx';
import { Fields, Form, FormButtons, Radios, SelectField, TextField } from '../parts/fields.tsx';
import { Part } from '../parts/page.tsx';
import { WouldMatch } from '../parts/would-match.tsx';
import styles from './rules.module.css';
import { EVERYWHERE, parsePlace, usePlaces } from './use-places.ts';

const DECISION_WORDS: Record<RuleDecision, string> = { allow: 'allow', deny: 'deny', ask: 'ask me' };
const FOREVER = '';
const DURATIONS = [
	[FOREVER, 'until it is removed'],
	['3600000', '1 hour'],
	['86400000', '1 day'],
	['604800000', '7 days'],
] as const;

type Draft = { decision: RuleDecision; tool: string; pattern: string; where: string; forMs: string };

const START: Draft = { decision: 'allow', tool: 'Bash', pattern: '', where: EVERYWHERE, forMs: FOREVER };

export function AddRule({ onAdded, onCancel }: { onAdded: () => void; onCancel: () => void }) {
	const { api } = useConnected();
	const [draft, setDraft] = useState(START);
	const [problem, setProblem] = useState('');
	const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
	const rule = toRule(draft);

	async function add(): Promise<void> {
		if (rule === undefined) return setProblem(NO_TOOL);
		const reply = await api.rules.add(rule);
		if (reply.ok) onAdded();
		else setProblem(reply.error.message);
	}

	return (
		<Part title="New rule">
			<Form onSubmit={() => void add()}>
				<Fields>
					<Radios
						legend="Decision"
						values={ruleDecision.options}
						words={DECISION_WORDS}
						value={draft.decision}
						onPick={(decision) => change({ decision })}
					/>
					<TextField label="Tool" isCode value={draft.tool} onChange={(tool) => change({ tool })} />
					<TextField label="Pattern" isCode autoFocus value={draft.pattern} onChange={(pattern) => change({ pattern })} />
					<SelectField label="Where" value={draft.where} options={usePlaces()} onChange={(where) => change({ where })} />
					<SelectField label="How long" value={draft.forMs} options={DURATIONS} onChange={(forMs) => change({ forMs })} />
				</Fields>
				<p className={styles.help}>{PATTERN_HELP}</p>
				<WouldMatch rule={rule} />
				{problem === '' ? null : <p role="alert">{problem}</p>}
				<FormButtons>
					<Button onClick={onCancel}>Cancel</Button>
					<Button type="submit" look="primary">
						Add
					</Button>
				</FormButtons>
			</Form>
		</Part>
	);
}

/** Undefined without a tool. */
function toRule({ decision, tool, pattern, where, forMs }: Draft): RuleBody | undefined {
	const argsPattern = pattern.trim();
	if (tool.trim() === '') return undefined;
	return {
		decision,
		tool: tool.trim(),
		...parsePlace(where),
		...(argsPattern === '' ? {} : { argsPattern }),
		...(forMs === FOREVER ? {} : { forMs: Number(forMs) }),
	};
}
