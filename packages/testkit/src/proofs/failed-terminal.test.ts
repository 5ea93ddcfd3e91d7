// A session is moved into a terminal where the real claude fails to start: it reports that, and Roost drives it again.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findTranscripts } from '@roost/agents/claude/transcript/transcript-folders';
import { describe, expect, it } from 'vitest';
import { message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const command = () => crypto.randomUUID();

/** Repeats which prompts it received so far. */
const echo: Script = ({ messages }) => {
	const known = ['apple', 'pear'].filter((fruit) => JSON.stringify(messages).includes(fruit));
	return message([say(`I know ${known.join(', ')}.`)]);
};

describe('session whose claude fails to start in its terminal', () => {
	it('reports the output of claude, and can be switched back and prompted', { timeout: 120_000 }, async () => {
		await using roost = await openDrivenClaude({ script: echo });
		const { api, claude } = roost;
		const session = await roost.start({ prompt: 'apple' });
		await session.until('run.end');
		await session.end();
		const [transcript] = (await findTranscripts(join(claude.configDir, 'projects'))).files;
		const path = transcript?.path ?? expect.fail('no transcript');
		await rename(path, `${path}.away`);

		unwrap(await api.settings.switchMode({ commandId: command(), id: session.id, mode: 'pty' }));
		const { data } = await session.until('runtime.error');
		expect(data).toMatchObject({
			code: 'cannot_start',
			message: expect.stringMatching(
				/^claude exited in its terminal before it started with exit code 1, with the output: .*No conversation found/,
			),
		});
		expect(data.message).toContain('prompt it, or retry the terminal.');
		const isBack = async () => ((await session.row()).drive?.mode === 'sdk' ? true : undefined);
		await waitFor(isBack, { what: 'the session to be taken back', seen: session.row });
		expect(unwrap(await api.record.session({ id: session.id })).driving).toEqual({ takesPrompts: true });

		await rename(`${path}.away`, path);
		unwrap(await api.settings.switchMode({ commandId: command(), id: session.id, mode: 'sdk' }));
		await session.say('pear');
		expect((await session.of('agent.message')).at(-1)?.data.text).toBe('I know apple, pear.');
	});
});
