// Concurrent driven sessions: in different projects, with parallel calls and with a subagent.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callTool, message, say } from '../fakes/model-reply.ts';
import type { Script } from '../fakes/script.ts';
import { createSecondProject, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { putFiles } from '../rigs/put-files.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

it('keeps two concurrent sessions apart, one with parallel calls and one with a subagent', async () => {
	await using rig = await openDrivenClaude({ script: answer });
	const { api, claude } = rig;
	const elsewhere = await createSecondProject(claude);
	// Read-only calls run in parallel, and ask only if a rule says so.
	unwrap(await api.rules.add({ decision: 'ask', tool: 'Read', scope: 'user' }));
	await putFiles(claude.project, { left: 'the left one', right: 'the right one' });
	const [pair, boss] = await Promise.all([
		rig.start({ prompt: 'read both' }),
		rig.start({ prompt: 'delegate', projectId: elsewhere }),
	]);
	const asks = await waitFor(
		async () => {
			const found = unwrap(await api.asks.list());
			return found.length === 3 ? found : undefined;
		},
		{ what: 'all three asks', seen: async () => unwrap(await api.asks.list()).map(({ input }) => input) },
	);
	expect((await Promise.all([pair.row(), boss.row()])).map(({ status }) => status)).toEqual(['waiting', 'waiting']);
	for (const { id: askId, nonce, sessionId } of asks)
		unwrap(await api.asks.approve({ id: sessionId, askId, nonce, decision: 'allow' }));
	await Promise.all([pair.until('run.end'), boss.until('run.end')]);

	const results = claude.requests.map(({ toolResults }) => toolResults.map(({ text }) => text).join()).join();
	expect(['the left one', 'the right one'].map((text) => results.includes(text))).toEqual([true, true]);
	expect([claude.project, elsewhere].map((folder) => existsSync(join(folder, 'found')))).toEqual([false, true]);
	expect(asks.filter(({ sessionId }) => sessionId === pair.id)).toHaveLength(2);
	expect((await pair.of('tool.post')).map(({ data }) => data.tool_use_id)).toHaveLength(2);
	expect((await pair.until('run.end')).data.counters).toMatchObject({ tool_uses: 2, permission_requests: 2 });

	const [started] = await boss.of('subagent.start');
	const actor = `subagent:${started?.data.agent_id}`;
	const bySubagent = (await boss.facts()).filter(({ actor_id }) => actor_id === actor).map(({ kind }) => kind);
	expect(bySubagent).toEqual(expect.arrayContaining(['tool.pre', 'tool.post', 'agent.message', 'subagent.stop']));
	expect((await boss.of('agent.message')).at(-1)?.data.text).toBe('It was found.');
	expect((await boss.of('usage.update')).at(-1)?.data.total.input_tokens).toBe(400);
	expect((await pair.of('usage.update')).at(-1)?.data.total.input_tokens).toBe(200);
}, 120_000);

const read = (file: string) => callTool('Read', { file_path: file });

const answer: Script = ({ agent, lastUserText, toolResults }) => {
	if (agent === 'subagent')
		return message(
			toolResults.length === 0
				? [callTool('Bash', { command: 'touch found', description: 'make a file' })]
				: [say('I found it.')],
		);
	if (toolResults.length === 2) return message([say('Both are there.')]);
	if (toolResults.length === 1) return message([say('It was found.')]);
	if (lastUserText === 'read both') return message([read('left'), read('right')]);
	const task = { description: 'look', prompt: 'look for it', subagent_type: 'general-purpose', run_in_background: false };
	return message([callTool('Agent', task)]);
};
