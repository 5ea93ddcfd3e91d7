// A driven session survives failures of the model, and reports the reason each time.

import { expect, it } from 'vitest';
import { apiError, callTool, hang, message, say } from '../fakes/model-reply.ts';
import { openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { waitFor } from '../rigs/wait-for.ts';

it('reports why a run failed, can be interrupted when the model hangs, and accepts the next prompt', async () => {
	let wish: string | undefined;
	const look = callTool('Read', { file_path: 'README.md' });
	await using rig = await openDrivenClaude({
		config: { sdk: { maxTurns: 2 } },
		script: ({ lastUserText }) => {
			// For a request with only a result, the last wish still applies.
			const isNew = lastUserText !== '';
			if (isNew) wish = lastUserText.split('\n').at(-1);
			if (wish === 'unwilling') return apiError(400, 'invalid_request_error', 'I will not');
			if (wish === 'limited') return apiError(429, 'rate_limit_error', 'slow down');
			if (wish === 'endless' || (wish === 'look once' && isNew)) return message([look]);
			return wish === 'silent' ? hang() : message([say('fine')]);
		},
	});
	const { requests } = rig.claude;
	const session = await rig.start({ prompt: 'unwilling' });
	expect((await session.until('run.end')).data).toMatchObject({
		status: 'failed',
		reason: expect.stringContaining('I will not'),
	});
	expect((await session.row()).status).toBe('idle');
	expect((await session.say('limited')).data).toMatchObject({ status: 'failed', reason: expect.stringContaining('slow down') });
	expect((await session.of('stop.failure')).map(({ data }) => data.error)).toEqual([expect.any(String), 'rate_limit']);

	const before = requests.length;
	await session.send('silent');
	const isAsked = () => (requests.length > before ? true : undefined);
	await waitFor(isAsked, { what: 'the model to be asked' });
	await session.send('after that');
	await session.interrupt();
	expect((await session.until('run.end', 3)).data).toMatchObject({ status: 'aborted', reason: 'it was interrupted' });
	expect((await session.until('run.end', 4)).data.status).toBe('completed');
	expect((await session.of('agent.message')).map(({ data }) => data.text)).toEqual(['fine']);

	expect((await session.say('endless')).data).toMatchObject({
		status: 'failed',
		reason: 'Reached the limit of 2 turns per prompt. Send another prompt to continue.',
	});
	// Each prompt has the full number of turns: this one needs two.
	expect((await session.say('look once')).data.status).toBe('completed');
	expect(await session.row()).toMatchObject({ status: 'idle', nativeIds: [expect.anything()] });
	expect(await session.of('session.end')).toEqual([]);
}, 60_000);
