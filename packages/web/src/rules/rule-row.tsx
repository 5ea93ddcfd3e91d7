// One rule: its decision, tool and pattern, who added it and when. Opened, it shows the past calls that it matches.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { expiryInWords } from '@roost/core/rules/rule-words';
import type { RuleBody } from '@roost/protocol/api/rules';
import type { Rule } from '@roost/protocol/rule';
import { useState } from 'react';
import { useWorld } from '../data/use-world.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Row } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import { WouldMatch } from '../parts/would-match.tsx';
import styles from './rules.module.css';

const TONES = { allow: 'ok', deny: 'bad', ask: 'warn' } as const;

export function RuleRow({ rule, onRemove }: { rule: Rule; onRemove: () => void }) {
	const { now } = useWorld();
	const [isOpen, setOpen] = useState(false);
	const { id, decision, tool, argsPattern, addedBy, createdAt } = rule;
	const expiry = expiryInWords(rule, now);
	const what = sanitiseLine(`${tool} ${argsPattern ?? ''}`.trim());
	return (
		<Row
			title={
				<button type="button" className={styles.rule} data-row={id} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
					<Badge tone={TONES[decision]}>{decision}</Badge>
					<code>
						<strong>{sanitiseLine(tool)}</strong>
						{argsPattern === undefined ? null : ` ${sanitiseLine(argsPattern)}`}
					</code>
					{argsPattern === undefined ? <span className={styles.any}>every call</span> : null}
				</button>
			}
			about={
				<>
					Added by {sanitiseLine(addedBy)} <When at={createdAt} />
					{expiry === '' ? null : ` · ${expiry === 'expired' ? expiry : `expires ${expiry}`}`}
				</>
			}
			end={
				<Button look="quiet" aria-label={`Remove ${decision} ${what}`} onClick={onRemove}>
					Remove
				</Button>
			}
		>
			{isOpen ? <WouldMatch rule={toBody(rule)} /> : null}
		</Row>
	);
}

function toBody({ tool, argsPattern, decision, scope, scopeId }: Rule): RuleBody {
	return { tool, argsPattern, decision, scope, ...(scope === 'user' ? {} : { scopeId }) };
}
