// roost agents, as a user types it: what is on the machine, for people and for programs.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentRow } from '@roost/protocol/api/agents';
import { driveCli } from '@roost/testkit/rigs/drive-cli';
import { startRunningRoost } from '@roost/testkit/rigs/running-roost';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

describe('roost agents', { timeout: 60_000 }, () => {
	it('shows what is here and what is wrong, in 80 columns, and the same for programs', async () => {
		await using temp = await createTempDir();
		const command = join(temp.path, 'old-claude');
		await writeFile(command, '#!/bin/sh\necho "1.0.3 (Claude Code)"\n');
		await chmod(command, 0o755);
		await using roost = await startRunningRoost({ agents: { claude: { command } } });
		const runs = [['agents'], ['agents', '--json'], ['agents', '--matrix'], ['run', '--agent', 'claude', 'hello']];
		const [shown, listed, matrix, ran] = await driveCli(runs, { cwd: roost.folder, env: roost.env });
		expect(shown).toMatchObject({ code: 0, stderr: '' });
		expect(shown?.stdout).toMatch(/^AGENT +VERSION +DRIVEN +OBSERVED +GUARDED +PROVEN\nclaude +1\.0\.3, too old +yes +yes /);
		expect(shown?.stdout).toContain('Claude Code 1.0.3 is too old');
		for (const line of shown?.stdout.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(80);
		const rows = agentRow.array().parse(JSON.parse(listed?.stdout ?? ''));
		expect(rows[0]).toMatchObject({ id: 'claude', program: { path: command, version: '1.0.3', problem: { kind: 'too-old' } } });
		expect(matrix).toMatchObject({ code: 0, stdout: expect.stringContaining('claude') });
		expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('Claude Code 1.0.3 is too old') });
	});
});
