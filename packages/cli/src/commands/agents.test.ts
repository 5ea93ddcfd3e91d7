// roost agents as a user runs it: the agents on this machine, as text and as JSON.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentRow } from '@roost/protocol/api/agents';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

describe('roost agents', { timeout: 120_000 }, () => {
	it('shows agents and their problems in 80 columns, and the same as JSON', async () => {
		await using temp = await createTempDir();
		const command = join(temp.path, 'old-claude');
		await writeFile(command, '#!/bin/sh\necho "1.0.3 (Claude Code)"\n');
		await chmod(command, 0o755);
		await using roost = await startRunnerProcess({ config: { agents: { claude: { command } } } });
		const runs = [['agents'], ['agents', '--json'], ['agents', '--matrix'], ['run', '--agent', 'claude', 'hello']];
		const [shown, listed, matrix, ran] = await driveCli(runs, { cwd: roost.folder, env: roost.env });
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		expect(shown?.stdout).toMatch(/^AGENT +VERSION +DRIVEN +OBSERVED +HOOK TEST +PROVEN\nclaude +1\.0\.3, too old +yes +yes /);
		expect(shown?.stdout).toContain('Claude Code 1.0.3 is too old');
		for (const line of shown?.stdout.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(80);
		const rows = agentRow.array().parse(JSON.parse(listed?.stdout ?? ''));
		expect(rows[0]).toMatchObject({ id: 'claude', program: { path: command, version: '1.0.3', problem: { kind: 'too-old' } } });
		expect(matrix).toMatchObject({ code: 0, stdout: expect.stringMatching(/^guard +yes +yes +yes +yes$/m) });
		expect(matrix?.stdout).not.toContain('not proven');
		expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('Claude Code 1.0.3 is too old') });
	});

	it('tests permission hooks with --prove, and shows from then on which ones failed', async () => {
		await using temp = await createTempDir();
		const command = join(temp.path, 'idle-claude');
		await writeFile(command, '#!/bin/sh\n[ "$1" = --version ] && echo "2.1.325 (Claude Code)" || echo "\\033[2Jnothing to do"\n');
		await chmod(command, 0o755);
		const nowhere = Object.fromEntries(['codex', 'pi', 'copilot'].map((id) => [id, { command: join(temp.path, id) }]));
		await using roost = await startRunnerProcess({ config: { agents: { ...nowhere, claude: { command } } } });
		const place = { cwd: roost.folder, env: roost.env };
		const [before, proven, after] = await driveCli([['agents'], ['agents', '--prove'], ['agents', '--json']], place);
		expect(before?.stdout).toMatch(/\nclaude: permission hook not tested on this machine\. Run "\S+ agents\s+--prove"\.\n/);
		expect(proven).toMatchObject({ code: 0 });
		expect(proven?.stdout).toMatch(/\nclaude +2\.1\.325 +yes +yes +failed /);
		expect(proven?.stdout.replaceAll(/\n {2}/g, ' ')).toContain(
			'claude: permission hook test failed: its program did not make the call that the guard must deny (it ended with 0: ',
		);
		expect(proven?.stdout).not.toContain('\u001b');
		for (const line of proven?.stdout.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(80);
		const [claude, ...others] = agentRow.array().parse(JSON.parse(after?.stdout ?? ''));
		expect(claude?.guardProof).toMatchObject({
			state: 'not-guarded',
			reason: expect.stringContaining('did not make the call'),
		});
		expect(others.map(({ guardProof }) => guardProof)).toEqual(others.map(() => ({ state: 'not-proven' })));
	});
});
