// Why the risk of a call is rated so, and where the rules are that did not decide it.
import { explainRisk } from '@roost/core/controller/risk';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import { Link } from 'wouter';

export function Why({ ask }: { ask: AskRow }) {
	const { risk, why } = explainRisk(ask.tool, ask.input);
	// The runner rated the call before its secrets were redacted.
	const reason = risk === ask.risk ? why : 'rated with the whole input, before secrets were redacted';
	return (
		<p>
			{RISKS[ask.risk]}: {sanitiseLine(reason)}. <Link href="/rules">Rules</Link>
		</p>
	);
}

const RISKS = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } as const;
