// A driven session whose agent exits before it starts a turn: no prompt is lost or stuck, and the session continues.

import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import { openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const DEADLINE_MS = 180_000;

describe('driven session whose agent exits too early', () => {
	it(
		'requeues a prompt that its agent never received, and starts the conversation again',
		async () => {
			await using rig = await openDrivenClaude({ script: () => message([say('fine')]) });
			const session = await rig.start();
			const pid = await rig.agentPid(session.id);
			// It reads no more input.
			process.kill(pid, 'SIGSTOP');
			const lost = await session.send('one');
			process.kill(pid, 'SIGKILL');
			await session.until('session.end');
			const waiting = async () => unwrap(await rig.api.queue.list({ id: session.id })).map(({ id }) => id);
			await waitFor(async () => ((await waiting()).includes(lost) ? true : undefined), {
				deadlineMs: DEADLINE_MS,
				what: 'the prompt to wait again',
				seen: session.facts,
			});
			await session.send('two');
			await session.until('run.end', 2);
			expect(rig.spoken()).toEqual(['one', 'fine', 'two']);
			expect((await session.of('user.prompt')).map(({ data }) => data.prompt_id)).toEqual([lost, expect.any(String)]);
			const row = await session.row();
			expect([row.status, row.prompts]).toEqual(['idle', undefined]);
		},
		DEADLINE_MS,
	);

	it(
		'remains a fork of its parent, and leaves no queued prompt when it is ended',
		async () => {
			await using rig = await openDrivenClaude({ script: () => message([say('fine')]) });
			const parent = await rig.start({ prompt: 'one' });
			await parent.until('run.end');
			const fork = await parent.fork();
			await fork.send('unheard');
			await fork.end();
			expect((await fork.row()).prompts).toBeUndefined();
			await fork.say('two');
			expect(rig.spoken().filter((words) => words !== 'unheard')).toEqual(['one', 'fine', 'two']);
		},
		DEADLINE_MS,
	);

	it(
		'is not created with an invalid permission mode, and the error lists the valid ones',
		async () => {
			await using rig = await openDrivenClaude({ script: () => message([say('fine')]) });
			const body = rig.describe({ permissionMode: 'whatever', prompt: 'one' });
			const refused = unwrapError(await rig.api.sessions.create({ commandId: crypto.randomUUID(), ...body }));
			expect([refused.code, refused.message]).toEqual(['bad_request', expect.stringContaining('choose one of default')]);
			expect(unwrap(await rig.api.record.sessions())).toEqual([]);
		},
		DEADLINE_MS,
	);
});
