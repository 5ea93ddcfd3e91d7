// A real runner gets reports that once ended it, and secrets in every field: it answers, others go on, and nothing is leaked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHostileValues } from '@roost/testkit/corpora/hostile-values';
import { createSecretShapes, findLeaks } from '@roost/testkit/corpora/secret-shapes';
import { startRunningRoost } from '@roost/testkit/rigs/running-roost';
import { expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-00000000000';
const MIB = 1024 * 1024;
const SHAPES = createSecretShapes(23);

it('answers reports that exhaust a search or a walk, and the sessions of others go on', { timeout: 240_000 }, async () => {
	await using roost = await startRunningRoost();
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

it('shows nothing of a secret in sessions, search, export, figures, log and files', { timeout: 240_000 }, async () => {
	await using roost = await startRunningRoost();
	const agent = await roost.openLaunch();
	const session_id = `${NATIVE}3`;
	await agent.report({ hook_event_name: 'SessionStart', session_id, source: 'startup' });
	const reports = SHAPES.flatMap(({ text }, at) => {
		const call = { session_id, tool_name: 'Bash', tool_use_id: `t${at}`, tool_input: { command: text, description: text } };
		return [
			{ hook_event_name: 'UserPromptSubmit', session_id, prompt: `${'word '.repeat(12)}${text}` },
			{ hook_event_name: 'PreToolUse', ...call },
			{ hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: text } },
		];
	});
	for (let at = 0; at < reports.length; at += 32)
		await Promise.all(reports.slice(at, at + 32).map((report) => agent.report(report)));
	await agent.report({ hook_event_name: 'SessionEnd', session_id, reason: 'other' });
	const id = String(JSON.parse((await roost.call('GET', '/api/v1/sessions')).body).sessions?.[0]?.id ?? '');
	const seen = [
		(await roost.call('GET', '/api/v1/sessions')).body,
		(await roost.call('GET', '/api/v1/search?q=password')).body,
		(await roost.call('GET', '/api/v1/asks')).body,
		(await roost.call('GET', '/metrics')).body,
		(await roost.call('GET', '/api/v1/usage')).body,
		JSON.stringify(await roost.roost('feed', id, '--json')),
		JSON.stringify(await roost.roost('export', id)),
		JSON.stringify(roost.program.output()),
		...filesBelow(roost.env.ROOST_HOME ?? ''),
	].join('\n');
	expect(seen).toContain('[redacted:');
	expect(findLeaks(SHAPES, seen)).toEqual([]);
});

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
