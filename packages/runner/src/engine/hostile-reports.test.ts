// A real runner gets reports that once ended it: it answers them, and the sessions of others go on.
import { startRunningRoost } from '@roost/testkit/rigs/running-roost';
import { expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000';
const MIB = 1024 * 1024;

it('answers a report with 7 MiB of a token, and the sessions of others go on', { timeout: 120_000 }, async () => {
	await using roost = await startRunningRoost();
	const attacker = await roost.openLaunch();
	const other = await roost.openLaunch();
	await other.report({ hook_event_name: 'SessionStart', session_id: `${NATIVE}1`, source: 'startup' });
	await attacker.report({ hook_event_name: 'SessionStart', session_id: `${NATIVE}2`, source: 'startup' });
	const command = `sk-${'ant'}-${'a'.repeat(7 * MIB)}`;
	const hit = { hook_event_name: 'PreToolUse', session_id: `${NATIVE}2`, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't1' };
	expect((await attacker.report(hit)).status).toBe(204);
	expect((await other.report({ hook_event_name: 'Stop', session_id: `${NATIVE}1`, stop_hook_active: false })).status).toBe(204);
	expect((await roost.call('GET', '/api/v1/sessions')).status).toBe(200);
});
