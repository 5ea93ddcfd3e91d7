// A driven session is forked at its end and at an earlier message, and stays unchanged itself.

import { expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import { openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';

it('forks a driven session at its end and at an earlier message, and leaves it unchanged', async () => {
	await using rig = await openDrivenClaude({ script: ({ lastUserText }) => message([say('You said ', lastUserText)]) });
	const parent = await rig.start({ prompt: 'one' });
	await parent.until('run.end');
	await parent.say('two');
	const [first] = await parent.of('agent.message');
	const before = await parent.facts();
	const [whole, half] = await Promise.all([parent.fork(), parent.fork(first?.data.native_id)]);

	await whole.say('three');
	expect(rig.spoken()).toEqual(['one', 'You said one', 'two', 'You said two', 'three']);
	await half.say('four');
	expect(rig.spoken()).toEqual(['one', 'You said one', 'four']);
	for (const fork of [whole, half]) {
		expect((await fork.of('session.start')).map(({ data }) => data.source)).toEqual(['fork']);
		expect(await fork.row()).toMatchObject({ status: 'idle', parentId: parent.id, nativeIds: [{ reason: 'fork' }] });
	}
	expect(await parent.facts()).toEqual(before);
	await parent.say('five');
	expect(rig.spoken()).toEqual(['one', 'You said one', 'two', 'You said two', 'five']);
	const ids = await Promise.all([parent, whole, half].map(async (each) => (await each.row()).nativeIds.map(({ id }) => id)));
	expect(new Set(ids.flat()).size).toBe(3);
	// Copied messages are counted once.
	const { groups, total } = unwrap(await rig.api.record.usage({ by: 'session' }));
	expect(total.tokens.input_tokens).toBe(100 * rig.claude.requests.length);
	const used = Object.fromEntries(groups.map(({ key, tokens }) => [key, tokens.input_tokens]));
	expect(used).toEqual({ [parent.id]: 300, [whole.id]: 100, [half.id]: 100 });
	expect(
		unwrapError(await rig.api.sessions.fork({ commandId: crypto.randomUUID(), id: parent.id, upTo: 'not an id' })).code,
	).toBe('bad_request');
}, 60_000);
