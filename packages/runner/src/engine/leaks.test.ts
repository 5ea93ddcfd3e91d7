// Every shape of secret in every field that an agent or a user can set: none is stored, shown, indexed or sent.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptId } from '@roost/protocol/ids';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createSecretShapes, findLeaks, type SecretShape } from '@roost/testkit/corpora/secret-shapes';
import { createEngineRig, type EngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';

const SHAPES = createSecretShapes(11);

it('leaks no secret of any shape from any field of any report', { timeout: 300_000 }, async ({ annotate }) => {
	await using temp = await createTempDir();
	const store = unwrap(openSqliteStore({ path: join(temp.path, 'roost.db'), access: 'write' }));
	const seen: string[] = [];
	{
		await using rig = createEngineRig({ store, rules: [], gate: 'enforce' });
		rig.engine.onUpdate((reported) => seen.push(JSON.stringify(reported)));
		for (const [at, shape] of SHAPES.entries()) await reportEverywhere(rig, shape, `${at}`);
		await rig.engine.settled();
		seen.push(JSON.stringify(rig.engine.asks.list({ all: true })));
		seen.push(JSON.stringify(unwrap(store.sessions({}))));
		for (const name of readdirSync(temp.path))
			if (name.endsWith('-wal')) seen.push(readFileSync(join(temp.path, name), 'latin1'));
		expect(rig.stored().length).toBeGreaterThan(SHAPES.length * 12);
	}
	await store.close();
	for (const name of readdirSync(temp.path)) seen.push(readFileSync(join(temp.path, name), 'latin1'));
	const all = seen.join('\n');
	const leaks = findLeaks(SHAPES, all);
	expect(leaks).toEqual([]);
	await annotate(`secrets: ${SHAPES.length} shapes, ${(all.length / 1e6).toFixed(1)} MB searched, ${leaks.length} leaks`);
});

async function reportEverywhere({ runtime, engine, sessionId }: EngineRig, { text }: SecretShape, id: string): Promise<void> {
	const emit = (hookName: string, payload: Record<string, unknown>, toolUseId = `t${id}`) =>
		runtime.emit({ hookName, toolName: 'Bash', toolUseId, payload: { tool_name: 'Bash', tool_use_id: toolUseId, ...payload } });
	const input = { command: text, description: `run ${text}`, [text]: 'as a key', nested: [{ deep: text }] };
	/** Places where truncation for a title or a preview would split the secret. */
	const late = `${'x'.repeat(Math.max(0, 70 - text.length / 2))} ${text}`;
	emit('SessionStart', { source: 'startup', model: text });
	emit('UserPromptSubmit', { prompt: late });
	emit('PreToolUse', { tool_input: input });
	emit('PermissionRequest', { tool_input: input, permission_suggestions: [text] });
	emit('PostToolUse', { tool_input: input, tool_response: { stdout: text, stderr: `error: ${text}` } });
	emit('PostToolUseFailure', { tool_input: { command: late }, error: `failed: ${text}` }, `f${id}`);
	emit(
		'PreToolUse',
		{
			tool_name: 'AskUserQuestion',
			tool_input: { questions: [{ question: text, header: 'h', options: [{ label: text, description: text }] }] },
		},
		`q${id}`,
	);
	emit('Notification', { message: late, title: text });
	emit('NeverSeenBefore', { anything: [{ at: text }] });
	emit('SubagentStart', { agent_id: `a${id}`, agent_type: text });
	emit('TaskCreated', { task_id: id, task_subject: text, task_description: text });
	emit('ConfigChange', { source: 'user_settings', file_path: text });
	emit('CwdChanged', { old_cwd: text, new_cwd: text });
	emit('PreCompact', { trigger: 'manual', custom_instructions: text });
	emit('Elicitation', { mcp_server_name: 'm', message: text });
	emit('StopFailure', { error: text, last_assistant_message: late });
	emit('Stop', { stop_hook_active: false, last_assistant_message: `done: ${text}` });
	emit('RuntimeError', { code: 'x', message: text, detail: { text } });
	const cut = Math.floor(text.length / 2);
	emit('MessageDisplay', { delta: text.slice(0, cut), index: 0, final: false, message_id: `m${id}` });
	emit('MessageDisplay', { delta: text.slice(cut), index: 1, final: false, message_id: `m${id}` });
	emit('MessageDisplay', { delta: '', index: 2, final: true, message_id: `m${id}` });
	const session = unwrap(engine.session(sessionId));
	const at = Date.now();
	await session.submit({ type: 'prompts', change: { type: 'add', id: promptId.parse(`p${id}`), text: late }, at });
	await session.submit({ type: 'prompts', change: { type: 'cancel', id: promptId.parse(`p${id}`), reason: text }, at });
	await session.submit({ type: 'noted', fact: { kind: 'session.renamed', data: { title: late } }, at });
	await session.submit({
		type: 'noted',
		fact: { kind: 'session.summary', data: { messages: 1, tool_calls: 1, last_assistant_text: late, error: text } },
		at,
	});
	for (const ask of engine.asks.list({})) {
		const verdict =
			ask.kind === 'question'
				? ({ type: 'answer', answers: { [text]: text } } as const)
				: ({ type: 'deny', message: text } as const);
		await engine.answer(ask.id, verdict, { name: 'lea', face: 'cli' });
	}
	await session.submit({ type: 'cut', reason: text, at });
}
