// MCP servers of a driven session: the real claude starts them with their secrets, which no other user of the machine can see.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { toPrompt } from '@roost/testkit/rigs/agents/driven-story';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { removeMcpConfigFiles, writeMcpConfigFile } from './options.ts';

const SECRET = 'sesame-0123456789';
const DEADLINE = { timeout: 120_000 };
const isLinux = process.platform === 'linux';

/** A server that records its secret and exits at once, so that Claude does not wait for a reply. */
function server(seen: string) {
	const script = `fs.writeFileSync(${JSON.stringify(seen)}, process.env.SECRET ?? 'nothing')`;
	return { command: process.execPath, args: ['-e', script], env: { SECRET } };
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('MCP servers of a driven session', () => {
	it('get secrets through a private file, not arguments, that is deleted when the session ends', DEADLINE, async () => {
		await using temp = await createTempDir();
		const [seen, privateDir] = [join(temp.path, 'seen'), join(temp.path, 'private')];
		await using rig = await openClaudeRig({
			script: () => message([say('fine')]),
			surroundings: { mcpServers: { mine: server(seen) } },
			deps: { privateDir },
		});
		const pids: number[] = [];
		const { connection, until } = rig.start({ onSpawned: (pid) => pids.push(pid) });
		await connection.sendPrompt(toPrompt('go'));
		await until('Stop');
		await waitFor(() => existsSync(seen) || undefined, { what: 'the server to start' });
		expect(readFileSync(seen, 'utf8')).toBe(SECRET);
		const files = readdirSync(privateDir);
		expect(files).toHaveLength(1);
		expect([modeOf(privateDir), modeOf(join(privateDir, files[0] ?? ''))]).toEqual(['700', '600']);
		if (isLinux) {
			const line = readFileSync(`/proc/${pids[0]}/cmdline`, 'utf8');
			expect(line).toContain(files[0]);
			expect(line).not.toContain(SECRET);
		}
		connection.close();
		expect(readdirSync(privateDir)).toEqual([]);
	});

	it.each([
		['a missing conversation', { resume: { nativeId: '00000000-0000-4000-8000-000000000000', fork: false } }, {}],
		['a missing program', {}, { command: ['/no/such/claude'] as const }],
	])('leave no config file if the session does not start: %s', DEADLINE, async (_what, request, deps) => {
		await using temp = await createTempDir();
		await using rig = await openClaudeRig({
			script: () => message([say('fine')]),
			surroundings: { mcpServers: { mine: server(join(temp.path, 'seen')) } },
			deps: { privateDir: temp.path, ...deps },
		});
		const { until, payloads } = rig.start(request);
		await until('SessionEnd');
		expect(payloads('StopFailure')).toHaveLength(1);
		expect(readdirSync(temp.path).filter((name) => name.endsWith('.json'))).toEqual([]);
	});

	it('prevent the session from starting if other users could read the config', async () => {
		await using temp = await createTempDir();
		const privateDir = join(temp.path, 'open');
		await mkdir(privateDir);
		await chmod(privateDir, 0o755);
		await using rig = await openClaudeRig({
			script: () => message([say('fine')]),
			surroundings: { mcpServers: { mine: server(join(temp.path, 'seen')) } },
			deps: { privateDir },
		});
		const pids: number[] = [];
		const { until, payloads } = rig.start({ onSpawned: (pid) => pids.push(pid) });
		await until('SessionEnd');
		expect(payloads('StopFailure')).toMatchObject([{ last_assistant_message: expect.stringContaining('run chmod 700 on it') }]);
		expect([pids, readdirSync(privateDir)]).toEqual([[], []]);
	});
});

describe('MCP config file', () => {
	it('is not created without servers, and leftover files are removed', async () => {
		await using temp = await createTempDir();
		const dir = join(temp.path, 'private');
		expect(writeMcpConfigFile(dir, {})).toMatchObject({ ok: true, value: { path: undefined } });
		expect(existsSync(dir)).toBe(false);
		const [one, two] = [writeMcpConfigFile(dir, { a: { command: 'a' } }), writeMcpConfigFile(dir, { b: { command: 'b' } })];
		expect(one.ok && two.ok && one.value.path !== two.value.path).toBe(true);
		removeMcpConfigFiles(dir);
		expect(existsSync(dir)).toBe(false);
		if (one.ok) one.value.remove();
		removeMcpConfigFiles(dir);
	});
});
