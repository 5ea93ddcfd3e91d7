// Facts with signatures, genuine and forged by somebody who can write the database and its hash chain.
import { hashInput, toCommandText } from '@roost/core/hub/signed-command';
import { sha256 } from '@roost/machine/sha256';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import type { Parts } from '@roost/protocol/contract/operation';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import { askId, deviceId, promptId, runnerId, streamId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { type EventContent, sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { findForged } from './verify-signatures.ts';

const KEY = createSigningKey();
const DEVICE = deviceId.parse('abcdefghjkmnpqrs');
const ASK = askId.parse('s1.1');
const PROMPT = promptId.parse('p1');
const QUESTIONS = ['Which?', 'Why?'];
const MARK = '[redacted:anthropic-key]';

/** What a device signed. */
function prove(operation: string, input: Parts, { key = KEY, runner = 'runner-1' } = {}): CommandProof {
	const command = { runner: runnerId.parse(runner), id: 'c1', operation, device: DEVICE, issuedAt: 1, expiresAt: 2 };
	const hashes = hashInput(input, sha256);
	return {
		command_id: 'c1',
		operation,
		input_hashes: hashes,
		device_id: DEVICE,
		public_key: KEY.publicKey,
		issued_at: 1,
		expires_at: 2,
		signature: signText(key, toCommandText({ ...command, input: hashes })),
	};
}

const answer = (over: Parts = {}) => ({
	id: 's1',
	askId: ASK,
	nonce: 'n',
	shown: 'x',
	commandId: 'c1',
	decision: 'allow',
	...over,
});
const origin = { decided_by: 'user', ask_id: ASK, principal: `lea@hub:${DEVICE}` } as const;
const allowed = (signed?: CommandProof, over = {}): EventContent => ({
	kind: 'permission.decision',
	data: { decision_type: 'allow', ...origin, ...(signed && { signed }), ...over },
});
const denied = (signed: CommandProof): EventContent => ({
	kind: 'permission.decision',
	data: { decision_type: 'deny', message: 'denied by the user', ...origin, signed },
});
const answered = (answers: Record<string, string>, signed: CommandProof): EventContent => ({
	kind: 'question.answer',
	data: { answers, ...origin, signed },
});
const prompted = (text: string, signed: CommandProof, state: 'queued' | 'edited' = 'queued'): EventContent => ({
	kind: 'prompt.update',
	data: { prompt_id: PROMPT, state, text, signed },
});

describe('signature of a fact', () => {
	it.each<[string, EventContent]>([
		['an allow', allowed(prove('asks.approve', answer()))],
		[
			'an allow with another input',
			allowed(prove('asks.approve', answer({ modifiedInput: { b: 1, a: 2 } })), { updated_input: { a: 2, b: 1 } }),
		],
		['a denial', denied(prove('asks.approve', answer({ decision: 'deny' })))],
		['a denied question', answered({}, prove('asks.approve', answer({ decision: 'deny' })))],
		[
			'an answer',
			answered(
				{ 'Which?': 'this', 'Why?': 'so' },
				prove('asks.answer', { ...answer(), answers: { 'Why?': 'so', 'Which?': 'this' } }),
			),
		],
		[
			'an answer that declines a question',
			answered({ 'Which?': 'this' }, prove('asks.answer', { ...answer(), answers: { 'Which?': 'this', 'Why?': '' } })),
		],
		['a prompt', prompted('go', prove('sessions.message', { id: 's1', text: 'go', commandId: 'c1' }))],
		['a prompt with a secret', prompted(`use ${MARK}`, prove('sessions.message', { id: 's1', text: 'use sk-ant' }))],
		['an edited prompt', prompted('go', prove('queue.edit', { id: 's1', promptId: PROMPT, text: 'go' }), 'edited')],
		['the prompt of a new session', prompted('go', prove('sessions.create', { projectId: '/p', prompt: 'go' }))],
		['a review', prompted('made of comments', prove('changes.review', { id: 's1', comments: [] }))],
		['no device', { kind: 'permission.decision', data: { decision_type: 'allow', ...origin, principal: 'lea@hub-web' } }],
	])('is genuine: %s', async (_, content) => {
		expect(await forgeries(content)).toEqual([]);
	});

	it.each<[string, EventContent]>([
		['of a denial, on an allow', allowed(prove('asks.approve', answer({ decision: 'deny' })))],
		['of an answer to another ask', allowed(prove('asks.approve', answer({ askId: 's1.2' })))],
		['of an answer in another session', allowed(prove('asks.approve', answer({ id: 's2' })))],
		[
			'of an allow as it was asked, on another input',
			allowed(prove('asks.approve', answer()), { updated_input: { command: 'rm' } }),
		],
		[
			'of another input, on an allow as it was asked',
			allowed(prove('asks.approve', answer({ modifiedInput: { command: 'ls' } }))),
		],
		['of another operation', allowed(prove('sessions.message', answer()))],
		[
			'of other answers',
			answered(
				{ 'Which?': 'that', 'Why?': 'so' },
				prove('asks.answer', { ...answer(), answers: { 'Which?': 'this', 'Why?': 'so' } }),
			),
		],
		['of an allow, on an answer', answered({ 'Which?': 'this' }, prove('asks.approve', answer()))],
		['of another prompt', prompted('go', prove('sessions.message', { id: 's1', text: 'stop' }))],
		['of a new prompt, on an edited one', prompted('go', prove('sessions.message', { id: 's1', text: 'go' }), 'edited')],
		['by another key', allowed(prove('asks.approve', answer(), { key: createSigningKey() }))],
		['for another runner', allowed(prove('asks.approve', answer(), { runner: 'runner-2' }))],
		['with another deadline', allowed({ ...prove('asks.approve', answer()), expires_at: 3 })],
		['with another device', allowed({ ...prove('asks.approve', answer()), device_id: deviceId.parse('zzzzzzzzzzzzzzzz') })],
		[
			'with other hashes',
			allowed({ ...prove('asks.approve', answer({ decision: 'deny' })), input_hashes: hashInput(answer(), sha256) }),
		],
		['that was removed', allowed()],
	])('is forged: %s', async (_, content) => {
		expect(await forgeries(content)).toEqual([expect.stringMatching(/^Stream s1: event 2 is forged: .*\.$/)]);
	});
});

async function forgeries(content: EventContent): Promise<string[]> {
	await using store = createMemoryStore();
	const questions = QUESTIONS.map((question) => ({ question, multi_select: false, options: [] }));
	const events = [
		sampleEvent('s1', 1, { kind: 'question.request', data: { questions, ask_id: ASK } }),
		sampleEvent('s1', 2, content),
	];
	unwrap(await store.append(sampleAppend('s1', events)));
	return unwrap(findForged(store, [streamId.parse('s1')]));
}
