// Whether the signature that a fact keeps is genuine, and of what the fact says.
import type { Parts } from '@roost/protocol/contract/operation';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { AskId, RunnerId } from '@roost/protocol/ids';
import { canonicalJson } from '../rules/canonical-json.ts';
import { type Crypto, toCommandText } from './signed-command.ts';

export type ProofPlace = {
	runner: RunnerId;
	/** The texts of the questions of an ask. */
	questionsOf(ask: AskId | undefined): readonly string[];
};

/** Undefined where no device has signed the fact. */
export function proofOf(event: FeedEvent): CommandProof | undefined {
	return 'signed' in event.data ? event.data.signed : undefined;
}

/** Undefined where the device that the proof names has signed this fact. */
export function whyNotProven(event: FeedEvent, proof: CommandProof, place: ProofPlace, crypto: Crypto): string | undefined {
	const { command_id: id, operation, input_hashes: input, device_id: device, issued_at: issuedAt, expires_at: expiresAt } = proof;
	const text = toCommandText({ runner: place.runner, id, operation, input, device, issuedAt, expiresAt });
	if (!crypto.isSignedBy(proof.public_key, text, proof.signature)) return 'its signature is not valid';
	const isSigned = ([name, value]: [string, unknown]) => {
		const text = canonicalJson(value);
		// A part with a secret was signed as it was, and is on record redacted.
		return text.includes('[redacted:') ? name in input : input[name] === crypto.hash(text);
	};
	const readings = readingsOf(event, operation, input, place);
	return readings.some((parts) => Object.entries(parts).every(isSigned)) ? undefined : `device ${device} signed something else`;
}

/** What the input must have been for such a fact; one of these. */
function readingsOf(event: FeedEvent, operation: string, input: Parts, place: ProofPlace): Parts[] {
	const { session_id: id } = event;
	if (event.kind === 'prompt.update') return readingsOfPrompt(event, operation);
	if (event.kind === 'question.answer' && operation === 'asks.answer') {
		const { ask_id: askId, answers } = event.data;
		// Declined questions are not on record.
		const all = Object.fromEntries(place.questionsOf(askId).map((question) => [question, answers[question] ?? '']));
		return [answers, all].map((given) => ({ id, askId, answers: given }));
	}
	if (operation !== 'asks.approve') return [];
	if (event.kind === 'question.answer') return [{ id, askId: event.data.ask_id, decision: 'deny' }];
	if (event.kind !== 'permission.decision') return [];
	const { data } = event;
	const answer = { id, askId: data.ask_id, decision: data.decision_type };
	if (data.decision_type === 'allow') {
		const isChanged = data.updated_input !== undefined || 'modifiedInput' in input;
		return [isChanged ? { ...answer, modifiedInput: data.updated_input ?? null } : answer];
	}
	const isWorded = data.decision_type === 'deny' && 'denyMessage' in input;
	return [isWorded ? { ...answer, denyMessage: data.message } : answer];
}

function readingsOfPrompt({ session_id: id, data }: FeedEventOf<'prompt.update'>, operation: string): Parts[] {
	const { text, prompt_id: promptId } = data;
	if (data.state === 'edited') return operation === 'queue.edit' ? [{ id, promptId, text }] : [];
	if (operation === 'sessions.message') return [{ id, text }];
	if (operation === 'sessions.create') return [{ prompt: text }];
	// The text of a review is made of the comments.
	return operation === 'changes.review' ? [{ id }] : [];
}
