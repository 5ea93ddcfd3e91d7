// A request and its outcome as a sentence.
import type { AskRow } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import { subjectOf } from '../display/tools/subject.ts';
import { toolName } from '../display/tools/tool-name.ts';

/** Each face has its own room for a command. */
type Shorten = (text: string) => string;

export function askOutcome(ask: AskRow, shorten: Shorten): string {
	const about = askSubject(ask, shorten);
	switch (ask.state) {
		case 'pending':
			return `${about} is pending.`;
		case 'allowed':
			return `${deciderOf(ask)} allowed ${about}.`;
		case 'denied':
			return `${deciderOf(ask)} denied ${about}.`;
		case 'answered':
			return `${deciderOf(ask)} answered ${about}.`;
		case 'expired':
			return `${about} expired.`;
		case 'cancelled':
			return `The agent cancelled ${about}.`;
		case 'answered-elsewhere':
			return `${about} was resolved in the agent's terminal (reported by the agent).`;
		default:
			return assertNever(ask.state);
	}
}

export function askSubject(ask: AskRow, shorten: Shorten): string {
	if (ask.kind === 'question') return 'the question';
	const shown = shorten(subjectOf(ask.tool, ask.input));
	return shown === '' ? toolName(ask.tool) : `${toolName(ask.tool)} "${shown}"`;
}

function deciderOf({ decidedBy }: AskRow): string {
	if (decidedBy === undefined) return 'Someone';
	return decidedBy === 'rule' ? 'A rule' : decidedBy;
}
