// A real runner gets reports that once crashed it: it answers, and other sessions continue.
import { createHostileValues } from '@roost/testkit/corpora/hostile-values';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000';
const MIB = 1024 * 1024;

it('responds to expensive reports without affecting other sessions', { timeout: 240_000 }, async () => {
	await using roost = await startRunnerProcess();
	const attacker = await roost.openLaunch();
	const other = await roost.openLaunch();
	await other.report({ hook_event_name: 'SessionStart', session_id: `${NATIVE}1`, source: 'startup' });
	await attacker.report({ hook_event_name: 'SessionStart', session_id: `${NATIVE}2`, source: 'startup' });
	const hit = { hook_event_name: 'PreToolUse', session_id: `${NATIVE}2`, tool_name: 'Bash' };
	const values = [`sk-${'ant'}-${'a'.repeat(7 * MIB)}`, ...createHostileValues(16 * 1024).map(({ value }) => value)];
	for (const [at, value] of values.entries()) {
		const report = { ...hit, tool_use_id: `t${at}`, tool_input: { command: value } };
		expect((await attacker.report(report)).status, `value ${at}`).toBeLessThan(500);
	}
	const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
	expect((await attacker.report({ ...hit, tool_input: { command: deep } })).status).toBe(204);
	expect((await other.report({ hook_event_name: 'Stop', session_id: `${NATIVE}1`, stop_hook_active: false })).status).toBe(204);
	expect((await roost.call('GET', '/api/v1/sessions')).status).toBe(200);
	expect(roost.program.output().stderr).toBe('');
});
