// One agent in plain words. Opened, it lists every feature with the result of its test.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { toSentence } from '@roost/core/display/sentence';
import { AGENT_FEATURES } from '@roost/protocol/api/agent-features';
import { type AgentRow, guardWords, type ProvenAgent } from '@roost/protocol/api/agents';
import { useState } from 'react';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Row } from '../parts/rows.tsx';
import styles from './agents.module.css';

export function AgentCard({ agent }: { agent: AgentRow }) {
	const [isOpen, setOpen] = useState(false);
	const { id, title, program, proven } = agent;
	return (
		<Row
			title={
				<span className={styles.title}>
					<strong>{sanitiseLine(title)}</strong> <Installed agent={agent} />
				</span>
			}
			about={program?.problem ? sanitiseLine(program.problem.sentence) : undefined}
			end={
				proven === null ? undefined : (
					<Button
						look="quiet"
						data-row={id}
						aria-expanded={isOpen}
						aria-label={`Features of ${sanitiseLine(title)}`}
						onClick={() => setOpen(!isOpen)}
					>
						Features
					</Button>
				)
			}
		>
			<ul className={styles.facts} aria-label={`About ${sanitiseLine(title)}`}>
				{factsOf(agent).map((fact) => (
					<li key={fact}>{fact}</li>
				))}
			</ul>
			{isOpen && proven !== null ? <Features proven={proven} /> : null}
		</Row>
	);
}

function Installed({ agent: { program } }: { agent: AgentRow }) {
	if (program === null) return <Badge>built in</Badge>;
	if (program.problem?.kind === 'missing') return <Badge>not installed</Badge>;
	const version = sanitiseLine(program.version ?? 'unknown version');
	return program.problem ? <Badge tone="bad">{version}</Badge> : <Badge tone="ok">{version}</Badge>;
}

/** Only what Roost can do with it, one sentence each. */
function factsOf({ id, takesPrompts, canResume, canInterrupt, observed, guardProof, proven }: AgentRow): string[] {
	const can = ['started', 'prompted', ...(canInterrupt ? ['interrupted'] : []), ...(canResume ? ['resumed'] : [])];
	const passed = Object.values(proven?.cells ?? {}).filter(({ outcome }) => outcome === 'pass').length;
	return [
		takesPrompts ? `Can be ${listOf(can)} from Roost with "roost run --agent ${id}".` : 'Cannot be started from Roost.',
		observed === null
			? 'Sessions that you start yourself are not recorded.'
			: `Sessions that you start yourself are recorded: ${observed}`,
		toSentence(capitalised(guardWords(guardProof))),
		proven === null
			? 'No feature was tested with the real program yet.'
			: `${passed} of ${Object.keys(proven.cells).length} features pass their test with version ${proven.version}.`,
	].map(sanitiseLine);
}

function listOf(words: readonly string[]): string {
	return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

const OUTCOMES = {
	pass: { tone: 'ok', words: 'yes' },
	unsupported: { tone: 'dim', words: 'no' },
	fail: { tone: 'bad', words: 'fails' },
} as const;

function Features({ proven }: { proven: ProvenAgent }) {
	const words: Readonly<Record<string, string>> = AGENT_FEATURES;
	return (
		<dl className={styles.features}>
			{Object.entries(proven.cells).map(([id, { outcome, reason }]) => (
				<div key={id}>
					<dt>{sanitiseLine(words[id] ?? id)}</dt>
					<dd>
						<Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].words}</Badge>{' '}
						{reason === undefined ? null : sanitiseLine(reason)}
					</dd>
				</div>
			))}
		</dl>
	);
}
