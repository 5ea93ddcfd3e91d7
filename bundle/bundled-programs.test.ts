// The bundled programs that agents start for their calls: each runs alone and decides like its sources.
import { spawn } from 'node:child_process';
import { copyFileSync, globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { deployGuard } from '@roost/agents/guards/deploy-guard';
import { PROGRAM_FILES, PROGRAM_FOLDER, type ProgramFile } from '@roost/core/process/program-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;
const bundled = (name: ProgramFile) => join(PROGRAM_FOLDER, PROGRAM_FILES[name][1]);

describe('a bundled program that agents start', () => {
	it.each(['forwarder', 'guard', 'copilotGate', 'piGate', 'piGuard', 'piInstalled', 'piReport'] as const)(
		'imports only Node and its own files, and has a source map: %s',
		(name) => {
			const folder = dirname(bundled(name));
			const text = readFileSync(bundled(name), 'utf8');
			const imported = [...text.matchAll(/^(?:import|export) .*from "(.+)";$|\bimport\("(.+)"\)/gm)].map(
				([, one, other]) => one ?? other,
			);
			const own = new Set(globSync('*.js', { cwd: folder }).map((file) => `./${file}`));
			expect(imported.filter((path) => path === undefined || !own.has(path))).toEqual([]);
			expect(JSON.parse(readFileSync(`${bundled(name)}.map`, 'utf8')).sources.join()).toContain(basename(PROGRAM_FILES[name][0]));
		},
	);

	it('judges calls as a guard', async () => {
		await using temp = await createTempDir();
		const worktreePath = join(temp.path, 'tree');
		await mkdir(worktreePath);
		const def = { agentName: 'bee', capability: 'scout', worktreePath, stateDir: join(temp.path, 'state'), qualityGates: [] };
		const { definitionPath } = await deployGuard(def, 'claude');
		const judge = (command: string) => {
			const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, cwd: worktreePath };
			return run([bundled('guard'), 'claude', definitionPath], JSON.stringify(call), { ROOST_AGENT_NAME: 'bee' });
		};
		expect(await judge('git status')).toEqual({ code: 0, stdout: '' });
		expect(await judge('rm x')).toEqual({ code: 2, stdout: expect.stringContaining('"rm\\" is not on the list') });
	});

	it('denies as a guard when its other files are missing', async () => {
		await using temp = await createTempDir();
		copyFileSync(bundled('guard'), join(temp.path, 'guard.mjs'));
		expect(await run([join(temp.path, 'guard.mjs'), 'claude', 'x'], '{}', { ROOST_AGENT_NAME: 'bee' })).toEqual({
			code: 2,
			stdout: '',
		});
	});

	it('asks for Copilot, and denies without an answer', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 's');
		const argv = [bundled('copilotGate'), path, String(DEADLINE_MS)];
		expect((await run(argv, '{}')).stdout).toContain('"permissionDecision":"deny"');
		await using server = createServer((socket) => void socket.on('data', () => socket.end('{"permissionDecision":"allow"}\n')));
		await new Promise<void>((resolve) => void server.listen(path, resolve));
		expect(await run(argv, '{}')).toEqual({ code: 0, stdout: '{"permissionDecision":"allow"}' });
	});
});

function run(
	argv: readonly string[],
	input: string,
	env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string }> {
	const child = spawn(process.execPath, argv, { env, stdio: ['pipe', 'pipe', 'ignore'], timeout: DEADLINE_MS });
	let stdout = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
	});
	child.stdin.end(input);
	return new Promise((resolve) => void child.on('close', (code) => resolve({ code, stdout })));
}
