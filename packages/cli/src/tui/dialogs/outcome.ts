// What became of an ask, in one sentence for the status line.

import { subjectOf } from '@roost/core/display/tools/subject';
import { toolName } from '@roost/core/display/tools/tool-name';
import type { AskRow } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import { cut } from '../screen/text.ts';

export function outcomeOf(ask: AskRow): string {
	const about = subjectOfAsk(ask);
	switch (ask.state) {
		case 'pending':
			return `${about} still waits.`;
		case 'allowed':
			return `${deciderOf(ask)} allowed ${about}.`;
		case 'denied':
			return `${deciderOf(ask)} denied ${about}.`;
		case 'answered':
			return `${deciderOf(ask)} answered ${about}.`;
		case 'expired':
			return `Time ran out for ${about}.`;
		case 'cancelled':
			return `The agent no longer waits for ${about}.`;
		case 'answered-elsewhere':
			return `${about} was resolved in the agent's terminal (reported by the agent).`;
		default:
			return assertNever(ask.state);
	}
}

/** Long enough to know it again. */
const SUBJECT_LENGTH = 60;

export function subjectOfAsk(ask: AskRow): string {
	if (ask.kind === 'question') return 'the question';
	const subject = subjectOf(ask.tool, ask.input);
	const short = cut(subject, SUBJECT_LENGTH);
	const shown = short === subject ? subject : `${short}...`;
	return shown === '' ? toolName(ask.tool) : `${toolName(ask.tool)} "${shown}"`;
}

function deciderOf({ decidedBy }: AskRow): string {
	if (decidedBy === undefined) return 'Somebody';
	return decidedBy === 'rule' ? 'A rule' : decidedBy;
}
