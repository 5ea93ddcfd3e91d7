// roost answer: questions are answered by their text, and unknown questions are rejected.

import { fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const QUESTION = 'What shall the check answer while the database starts?';

describe('roost answer', { timeout: 120_000 }, () => {
	it('rejects an unknown question and a duplicate answer, and lists the questions', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		const session = await roost.startSession('choose one');
		const ask = await waitFor(async () => unwrap(await roost.api.asks.list({})).find(({ kind }) => kind === 'question'), {
			what: 'the question',
		});
		const [unknown, twice, answered] = await driveCli(
			[
				['answer', ask.id, '--set', 'Which one?=503'],
				['answer', ask.id, '--set', `${QUESTION}=503`, '--set', `${QUESTION}=200`],
				['answer', ask.id, '--set', `${QUESTION}=503, a=b`],
			],
			{ cwd: roost.folder, env: roost.env },
		);
		const listed = `Answer each question once: "${QUESTION}".`;
		expect(unknown).toMatchObject({ code: 1, stdout: '' });
		expect(unknown?.stderr).toBe(
			`roost: Cannot answer ${ask.id}: unknown question "Which one?"; no answer for "${QUESTION}". ${listed}\n`,
		);
		expect(twice).toMatchObject({
			code: 1,
			stderr: `roost: Cannot answer ${ask.id}: more than one answer for "${QUESTION}". ${listed}\n`,
		});
		expect(answered).toMatchObject({ code: 0, stderr: '' });
		const message = unwrap(await roost.api.asks.list({ all: true })).find(({ id }) => id === ask.id);
		expect(message).toMatchObject({ sessionId: session, state: 'answered', verdict: { answers: { [QUESTION]: '503, a=b' } } });
	});
});
