// What the rules decide for a call, and which rule decides, without making the call.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { decidingRules, NOT_COVERED, ruleInWords, UNDECIDED, whyInWords } from '@roost/core/rules/rule-words';
import { parseTestedInput } from '@roost/core/rules/tested-input';
import type { RuleTestBody, RuleTestResult } from '@roost/protocol/api/rules';
import { projectRef } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { useWorld } from '../data/use-world.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Fields, Form, FormButtons, SelectField, TextField } from '../parts/fields.tsx';
import { Part } from '../parts/page.tsx';
import styles from './rules.module.css';
import { EVERYWHERE, parsePlace, usePlaces } from './use-places.ts';

type Outcome = { readonly result?: RuleTestResult; readonly problem?: string };

export function TestCall() {
	const { api } = useConnected();
	const { sessions } = useWorld();
	const [tool, setTool] = useState('Bash');
	const [text, setText] = useState('');
	const [where, setWhere] = useState(EVERYWHERE);
	const [outcome, setOutcome] = useState<Outcome>({});

	async function test(): Promise<void> {
		const input = parseTestedInput(tool.trim(), text.trim());
		const reply = input.ok ? await api.rules.test({ tool: tool.trim(), input: input.value, ...toScope(where, sessions) }) : input;
		setOutcome(reply.ok ? { result: reply.value } : { problem: reply.error.message });
	}

	return (
		<Part title="Test a call" note="What would the rules decide? Nothing is run.">
			<Form onSubmit={() => void test()}>
				<Fields>
					<TextField label="Tool" isCode value={tool} onChange={setTool} />
					<TextField label="Command, or input as JSON" isCode value={text} onChange={setText} />
					<SelectField label="In" value={where} options={usePlaces()} onChange={setWhere} />
				</Fields>
				<FormButtons>
					<Button type="submit">Test</Button>
				</FormButtons>
				<div role="status">
					{outcome.problem === undefined ? null : <p>{outcome.problem}</p>}
					{outcome.result === undefined ? null : <Verdict result={outcome.result} />}
				</div>
			</Form>
		</Part>
	);
}

/** A session has the rules of its project too. */
function toScope(where: string, sessions: readonly SessionRow[]): Pick<RuleTestBody, 'sessionId' | 'projectId'> {
	const { scope, scopeId } = parsePlace(where);
	if (scope === 'project') return { projectId: projectRef.parse(scopeId) };
	const session = sessions.find(({ id }) => scope === 'session' && id === scopeId);
	return session === undefined ? {} : { sessionId: session.id, projectId: session.projectId };
}

const TONES = { allow: 'ok', deny: 'bad', ask: 'warn', none: 'dim' } as const;

function Verdict({ result }: { result: RuleTestResult }) {
	const { now } = useWorld();
	const rules = decidingRules(result);
	const parts = result.parts ?? [];
	return (
		<div className={styles.verdict} data-part="verdict">
			{rules.length === 0 ? <p>{UNDECIDED}</p> : null}
			{rules.map((rule) => (
				<p key={rule.id}>
					<Badge tone={TONES[result.decision]}>{result.decision}</Badge> by rule {ruleInWords(rule, now)}
				</p>
			))}
			{result.why === undefined ? null : <p>{whyInWords(result)}</p>}
			{parts.length === 0 ? null : (
				<ul aria-label="Parts of the command" className={styles.parts}>
					{parts.map(({ text, decision, rule }) => (
						<li key={text}>
							<Badge tone={TONES[decision]}>{decision}</Badge> <code>{sanitiseLine(text)}</code>:{' '}
							{rule === undefined ? NOT_COVERED : ruleInWords(rule, now)}
						</li>
					))}
				</ul>
			)}
		</div>
	);
}
