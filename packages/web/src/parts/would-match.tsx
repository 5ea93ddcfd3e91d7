// What a rule would have matched, before it is added: a sentence, and the newest of these calls.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { outcomeInWords, wouldMatchWords } from '@roost/core/rules/history-words';
import type { RuleBody, RuleMatch } from '@roost/protocol/api/rules';
import { Link } from 'wouter';
import { useRuleHistory } from '../data/use-rule-history.ts';
import { NotRead } from './reading.tsx';
import { When } from './when.tsx';
import styles from './would-match.module.css';

const MOST_EXAMPLES = 5;

/** `rule`: undefined while it is incomplete. */
export function WouldMatch({ rule }: { rule: RuleBody | undefined }) {
	const history = useRuleHistory(rule);
	if (rule === undefined) return null;
	if (history.value === undefined) return <NotRead {...history} />;
	const examples = history.value.matches.slice(0, MOST_EXAMPLES);
	return (
		<div className={styles.wouldMatch} data-part="would-match">
			<p role="status">{wouldMatchWords(rule.decision, history.value)}</p>
			{examples.length === 0 ? null : (
				<ul aria-label="Newest of these calls" className={styles.examples}>
					{examples.map((match) => (
						<Example key={`${match.sessionId} ${match.offset}`} {...match} />
					))}
				</ul>
			)}
		</div>
	);
}

function Example({ sessionId, offset, ts, tool, argument, became }: RuleMatch) {
	return (
		<li>
			<Link href={`/s/${sessionId}/e/${offset}`}>
				<code>
					{sanitiseLine(tool)} {sanitiseLine(argument)}
				</code>
			</Link>
			<span className={styles.became}>
				{sanitiseLine(outcomeInWords(became))} · <When at={ts} />
			</span>
		</li>
	);
}
