import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type FiredEntry, fireEntry } from './probe.ts';

const payload = { hook_event_name: 'PreToolUse', session_id: 's1', tool_name: 'Read', tool_input: {} };
const timeoutMs = 20_000;

describe('fireEntry', () => {
	it('expands only variables that the entry allows in headers', async () => {
		await using rig = await openHookRig();
		rig.launch.runtime.onEvent((event) =>
			rig.launch.runtime.sendDecision(event.id, { verdict: { type: 'none' }, source: 'rule' }),
		);
		const env = { SECRET: rig.launch.secret };
		const entry = (allowedEnvVars: string[]) =>
			({ type: 'http', url: rig.server.httpUrl, headers: { authorization: 'Bearer $SECRET' }, allowedEnvVars }) as const;
		expect(unwrap(await fireEntry(entry(['SECRET']), { env, payload, timeoutMs }))).toEqual({ type: 'silent' });
		expect(unwrap(await fireEntry(entry([]), { env, payload, timeoutMs }))).toEqual({ type: 'refused' });
	});

	it.each([
		['says nothing', 'process.stdin.resume()', { type: 'silent' }],
		['says something else', 'console.log("hello")', { type: 'other', text: 'hello\n' }],
		['fails', 'console.error("broken"); process.exit(2)', { type: 'other', text: 'it ended with 2: broken\n' }],
		['echoes', 'process.stdin.on("data", (text) => console.log(JSON.parse(text).tool_name))', { type: 'other', text: 'Read\n' }],
	])('runs a command that %s', async (_what, script, reported) => {
		const entry: FiredEntry = { type: 'command', command: process.execPath, args: ['-e', script] };
		expect(unwrap(await fireEntry(entry, { env: {}, payload, timeoutMs }))).toEqual(reported);
	});

	it('terminates a command that exceeds its timeout', async () => {
		const entry: FiredEntry = { type: 'command', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
		expect(unwrap(await fireEntry(entry, { env: {}, payload, timeoutMs: 300 }))).toMatchObject({
			type: 'other',
			text: expect.stringContaining('SIGTERM'),
		});
	});

	it('returns an error if the program does not exist', async () => {
		const entry: FiredEntry = { type: 'command', command: '/nonexistent/node', args: [] };
		expect(await fireEntry(entry, { env: {}, payload, timeoutMs })).toMatchObject({ ok: false, error: { code: 'agent_failed' } });
	});
});
