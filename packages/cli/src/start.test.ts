// The first file of the program, bundled and as source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FILES, PROGRAM_FOLDER } from '@roost/core/process/program-files';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;
const [WRITTEN, BUNDLED] = PROGRAM_FILES.start;

describe.each([
	['written', ['--conditions=source', join(PROGRAM_FOLDER, WRITTEN)]],
	['bundled', [join(PROGRAM_FOLDER, BUNDLED)]],
])('roost (%s)', (_name, program) => {
	it('prints a one-line error that names the required Node version', async () => {
		const old = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' });`;
		expect(await run(['--import', toModule(old), ...program, '--version'])).toMatchObject({
			code: 3,
			stdout: '',
			stderr: 'roost: Node.js 24 or newer is needed; this is 20.1.0. Install it, then run this again.\n',
		});
	});

	it('names the source files in the stack trace of an internal error', async () => {
		const broken = `process.stdout.write = () => { throw new Error('broken'); };`;
		const { code, stderr } = await run(['--import', toModule(broken), ...program, 'status']);
		expect(code).toBe(1);
		const [, path = '', line = ''] =
			/at \S+ \((?:file:\/\/)?(\/\S*\/packages\/cli\/src\/commands\/status\.ts):(\d+):\d+\)/.exec(stderr) ?? [];
		expect(readFileSync(path, 'utf8').split('\n')[Number(line) - 1]).toContain('print(');
	});
});

function toModule(code: string): string {
	return `data:text/javascript,${encodeURIComponent(code)}`;
}

async function run(args: readonly string[]) {
	await using home = await createTempDir();
	const env = { PATH: process.env.PATH ?? '', HOME: home.path, ROOST_HOME: home.path };
	await using program = await startProgram([process.execPath, ...args], { cwd: home.path, env });
	return await program.waitForExit(DEADLINE_MS);
}
