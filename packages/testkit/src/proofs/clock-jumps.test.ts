// A real runner whose clock jumps by hours while a call waits: nothing expires early or late, and the order stays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askRow } from '@roost/protocol/ask';
import { storedLine } from '@roost/protocol/stored-line';
import { expect, it } from 'vitest';
import { askThrough } from '../rigs/agents/hook-agent.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { waitFor } from '../rigs/wait-for.ts';

const HOUR = 3_600_000;
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000014';
const CLOCK = fileURLToPath(import.meta.resolve('@roost/testkit/fakes/jumping-clock'));

it('keeps an ask pending and the record in order when the clock jumps', async () => {
	await using temp = await createTempDir();
	const path = join(temp.path, 'offset');
	const jumpTo = (ms: number) => writeFileSync(path, String(ms));
	jumpTo(0);
	const env = { NODE_OPTIONS: `--conditions=source --import=${CLOCK}`, JUMPING_CLOCK: path };
	await using roost = await startRunnerProcess({ config: { sdk: { approvalTimeoutMs: 300_000 } }, env });
	const agent = await roost.openLaunch({ gate: 'enforce' });
	const start = { hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' };
	expect((await agent.report(start)).status).toBe(204);

	for (const [offset, command] of [
		[6 * HOUR, 'make forward'],
		[-12 * HOUR, 'make back'],
	] as const) {
		const payload = { hook_event_name: 'PermissionRequest', session_id: NATIVE, tool_name: 'Bash', tool_input: { command } };
		const seen = askThrough('forwarder', { hooks: agent.hooks, gate: 'enforce', payload });
		const ask = await openAsk(roost);
		jumpTo(offset);
		// A report makes the session check its clock.
		await agent.report({ hook_event_name: 'Notification', session_id: NATIVE, message: command });
		expect(await openAsk(roost)).toEqual(ask);
		const body = { askId: ask.id, nonce: ask.nonce, decision: 'allow' };
		expect((await roost.call('POST', `/api/v1/sessions/${ask.sessionId}/approve`, body)).status).toBe(200);
		expect(await seen).toMatchObject({ saw: 'allow' });
	}

	const { stdout } = await roost.roost('feed', agent.sessionId, '--json', '--verbose');
	const lines = stdout
		.trim()
		.split('\n')
		.map((line) => storedLine.parse(JSON.parse(line)));
	expect(lines.map(({ offset }) => offset)).toEqual(lines.map((_, at) => at + 1));
	expect(lines.flatMap(({ event }) => (event.kind === 'notification' ? [event.data.message] : []))).toEqual([
		'make forward',
		'make back',
	]);
	expect(lines.filter(({ event }) => event.kind === 'permission.decision')).toHaveLength(2);
	expect(await roost.roost('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') });
});

it('does not extend the lifetime of a link when the clock jumps', async () => {
	await using temp = await createTempDir();
	const path = join(temp.path, 'offset');
	writeFileSync(path, '0');
	const env = { NODE_OPTIONS: `--conditions=source --import=${CLOCK}`, JUMPING_CLOCK: path };
	await using roost = await startRunnerProcess({ env });
	const { expiresAt } = JSON.parse((await roost.call('POST', '/api/v1/tickets', {})).body);
	writeFileSync(path, String(6 * HOUR));
	const later = JSON.parse((await roost.call('POST', '/api/v1/tickets', {})).body);
	expect(later.expiresAt - expiresAt).toBeLessThan(HOUR);
});

async function openAsk(roost: RunnerProcess) {
	return await waitFor(
		async () => {
			const [ask] = askRow.array().parse(JSON.parse((await roost.call('GET', '/api/v1/asks')).body));
			return ask;
		},
		{ what: 'the ask' },
	);
}
