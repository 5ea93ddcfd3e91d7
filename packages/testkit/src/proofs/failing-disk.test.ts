// A real runner whose disk rejects writes for a while: what its agents see, what it logs, and what is recorded afterwards.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { askRow } from '@roost/protocol/ask';
import { describe, expect, it } from 'vitest';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const [ENFORCED, OBSERVED] = ['5f0c8f7e-0000-4000-8000-000000000015', '5f0c8f7e-0000-4000-8000-000000000016'];
/** With the signal ignored, a write past the limit fails like on a full disk. */
const IGNORING_LIMITS = ['/bin/sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'];

describe.runIf(process.platform === 'linux')('disk failure while an enforced call is pending', () => {
	it('blocks no observed agent, allows nothing, is logged, and loses nothing after recovery', async () => {
		await using roost = await startRunnerProcess({ through: IGNORING_LIMITS });
		const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(roost.pid), `--fsize=${bytes}:unlimited`]);
		const [enforced, observed] = [await roost.openLaunch({ gate: 'enforce' }), await roost.openLaunch({ gate: 'observe' })];
		await enforced.report({ hook_event_name: 'SessionStart', session_id: ENFORCED, source: 'startup' });
		await observed.report({ hook_event_name: 'SessionStart', session_id: OBSERVED, source: 'startup' });
		const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 't1' };
		const waiting = enforced.report({ hook_event_name: 'PermissionRequest', session_id: ENFORCED, ...call });
		const ask = await waitFor(async () => askRow.array().parse(JSON.parse((await roost.call('GET', '/api/v1/asks')).body))[0], {
			what: 'the ask',
		});

		limit('0');
		const body = { askId: ask.id, nonce: ask.nonce, decision: 'allow' };
		const answered = await roost.call('POST', `/api/v1/sessions/${ask.sessionId}/approve`, body);
		expect([answered.status, JSON.parse(answered.body).code]).toEqual([503, 'store_unavailable']);
		expect((await waiting).body).toContain('"behavior":"deny"');
		const reported = await observed.report({ hook_event_name: 'PreToolUse', session_id: OBSERVED, ...call });
		expect(reported.status).toBe(204);
		for (let at = 0; at < 20; at += 1)
			await observed.report({ hook_event_name: 'Notification', session_id: OBSERVED, message: `kept ${at}` });
		await waitFor(() => roost.program.output().stdout.match(/the record cannot be written/g)?.[1], {
			what: 'the warnings of both sessions',
			seen: roost.program.output,
		});

		limit('unlimited');
		await waitFor(() => roost.program.output().stdout.match(/the record is being written again/g)?.[1], {
			what: 'the record of both sessions',
			seen: roost.program.output,
		});
		const [allowed, kept] = [await roost.roost('feed', enforced.sessionId), await roost.roost('feed', observed.sessionId)];
		expect(allowed.stdout).toMatch(/Allowed by[\s\S]*the agent did not get it/);
		expect(kept.stdout.match(/kept \d+/g)).toEqual(Array.from({ length: 20 }, (_, at) => `kept ${at}`));
		expect(await roost.roost('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') });
	});
});

describe('runner that cannot remove its own files', () => {
	it('still exits with code 0', async () => {
		await using roost = await startRunnerProcess();
		// Like a file system that became read-only: these paths cannot be unlinked.
		for (const path of ['roost.db.pid', ...globSync('run/*.sock', { cwd: roost.env.ROOST_HOME ?? '' })]) {
			await rm(join(roost.env.ROOST_HOME ?? '', path));
			await mkdir(join(roost.env.ROOST_HOME ?? '', path));
		}
		roost.program.signal('SIGTERM');
		const { code, stdout } = await roost.program.waitForExit(20_000);
		expect(stdout).not.toMatch(/failed|suppressed/);
		expect(code).toBe(0);
	});
});
