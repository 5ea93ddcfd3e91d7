// What a headless run does with requests: explains how to answer, denies and continues, or denies and ends.
import type { Reply } from '@roost/client/api-call';
import type { ApiClient } from '@roost/client/api-client';
import { questionsOf } from '@roost/core/answers/ask-questions';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { askTitle } from '@roost/core/views/ask-title';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import { clock } from '../../output/feed-line.ts';
import type { AnswerHere } from './answer-here.ts';
import type { OnAsk } from './run-options.ts';

type AskHandling = {
	/** Called for every update of an ask; ignores those of other runs. */
	observe(ask: AskRow): void;
	/** The run has started: asks seen before may belong to it. */
	begun(): void;
	/** Resolves when every denial was sent: the end of the run may be reported before. */
	settled(): Promise<void>;
};

type AskHandlingDeps = {
	onAsk: OnAsk;
	answerHere?: Pick<AnswerHere, 'offer' | 'withdraw'> | undefined;
	asks: Pick<ApiClient['asks'], 'approve' | 'answer'>;
	isOurs: (ask: AskRow) => boolean;
	say: (sentence: string) => void;
	/** With `fail`: the first ask was denied, so the run ends. */
	onFailed: (sentence: string) => void;
};

export function handleAsks(deps: AskHandlingDeps): AskHandling {
	const { onAsk, say } = deps;
	const pending = new Map<AskId, AskRow>();
	const handled = new Set<AskId>();
	const refusals: Promise<void>[] = [];

	function look(ask: AskRow): void {
		if (!deps.isOurs(ask) || handled.has(ask.id)) return;
		handled.add(ask.id);
		if (onAsk !== 'wait') refusals.push(refuse(ask));
		else if (ask.kind === 'question' || !deps.answerHere?.offer(ask)) say(howToAnswer(ask));
	}

	async function refuse(ask: AskRow): Promise<void> {
		const refused = await sendRefusal(deps, ask);
		// Another answer was first.
		if (!refused.ok && refused.winner) return;
		if (!refused.ok) return say(`${subjectIn(ask)} could not be denied: ${refused.error.message}`);
		const sentence = `${subjectIn(ask)} was denied: this run is unattended (--on-ask ${onAsk}).`;
		if (onAsk === 'fail') deps.onFailed(sentence);
		else say(sentence);
	}

	return {
		observe(ask) {
			if (ask.state !== 'pending') {
				pending.delete(ask.id);
				return deps.answerHere?.withdraw(ask);
			}
			pending.set(ask.id, ask);
			look(ask);
		},
		begun: () => pending.forEach(look),
		async settled() {
			await Promise.all(refusals);
		},
	};
}

function sendRefusal({ asks, onAsk }: AskHandlingDeps, ask: AskRow): Promise<Reply<AskRow>> {
	const { id: askId, nonce, sessionId } = ask;
	// No answers means that a question was declined.
	if (ask.kind === 'question') return asks.answer({ id: sessionId, askId, nonce, answers: {} });
	return asks.approve({ id: sessionId, askId, nonce, decision: 'deny', denyMessage: MESSAGE, interrupt: onAsk === 'fail' });
}

/** Sent to the agent. */
const MESSAGE =
	'This run is unattended, so the request was denied. Continue without it if possible; otherwise stop and say what you need.';

/** The text of an agent is never part of a suggested command. */
function howToAnswer(ask: AskRow): string {
	const until = clock(ask.expiresAt);
	const command =
		ask.kind === 'question'
			? `roost answer ${ask.id} --set "Question=Answer"`
			: `"roost allow ${ask.id}" or "roost deny ${ask.id}"`;
	return `${subjectIn(ask)} waits for you until ${until}; answer in another terminal: ${command}`;
}

function subjectIn(ask: AskRow): string {
	const questions = ask.kind === 'question' ? questionsOf(ask).map(({ question }) => `"${question}"`) : [];
	return sanitiseLine(questions.join(', ') || askTitle(ask));
}
