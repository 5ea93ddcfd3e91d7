// What a headless run does with what its agent asks: tells how to answer, refuses and goes on, or refuses and ends.
import type { Reply } from '@roost/client/api-call';
import type { ApiClient } from '@roost/client/api-client';
import { questionsOf } from '@roost/core/answers/ask-questions';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import { askTitle } from '../../output/words.ts';
import type { AnswerHere } from './answer-here.ts';
import type { OnAsk } from './run-options.ts';

type AskHandling = {
	/** Each ask of the session, as often as it is told; those of other runs are left to whoever began them. */
	observe(ask: AskRow): void;
	/** The run has begun: what was told before may be its own. */
	begun(): void;
	/** Resolves when no refusal is on its way any more: a run that ends by one may be told of its end first. */
	settled(): Promise<void>;
};

type AskHandlingDeps = {
	onAsk: OnAsk;
	/** Where they are answered in the terminal of the run. */
	answerHere?: Pick<AnswerHere, 'offer' | 'withdraw'> | undefined;
	asks: Pick<ApiClient['asks'], 'approve' | 'answer'>;
	isOurs: (ask: AskRow) => boolean;
	say: (sentence: string) => void;
	/** With `fail`: the first ask was refused, and so the run is to end. */
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
		// Somebody else may have been faster, and then that holds.
		if (!refused.ok && refused.winner) return;
		if (!refused.ok) return say(`${subjectIn(ask)} could not be refused: ${refused.error.message}`);
		const sentence = `${subjectIn(ask)} was denied: this run asks nobody (--on-ask ${onAsk}).`;
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
	// A question that nobody answers has no answers; that is how everybody says it.
	if (ask.kind === 'question') return asks.answer({ id: sessionId, askId, nonce, answers: {} });
	return asks.approve({ id: sessionId, askId, nonce, decision: 'deny', denyMessage: MESSAGE, interrupt: onAsk === 'fail' });
}

/** For the agent. */
const MESSAGE =
	'Nobody watches this run, so nobody can allow it. Go on without it if you can; else stop and say what you would have needed.';

/** The words of an agent are never part of what a person is told to type. */
function howToAnswer(ask: AskRow): string {
	const until = new Date(ask.expiresAt).toTimeString().slice(0, 8);
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
