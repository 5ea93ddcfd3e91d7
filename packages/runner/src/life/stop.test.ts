import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { ensureHome, resolveHome } from '../home.ts';
import { readIdentity } from './process-identity.ts';
import { readRunnerState } from './runner-file.ts';
import { stopRunner, takeDown } from './stop.ts';

const OBEYS = "process.on('SIGTERM', () => { process.stdout.write('drained'); process.exitCode = 0; clearInterval(alive); });";
const IGNORES = "process.on('SIGTERM', () => process.stdout.write('heard'));";

describe('stopping a runner', () => {
	it('asks it, and comes back when it is gone', async () => {
		await using program = await startScript(OBEYS);
		expect(unwrap(await stopRunner(program.identity))).toBe('stopped');
		expect(readIdentity(program.pid)).toBeNull();
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stdout: 'updrained' });
	});

	it('makes one end that does not listen, once its time is up', async () => {
		await using program = await startScript(IGNORES);
		expect(unwrap(await stopRunner(program.identity, { graceMs: 200 }))).toBe('killed');
		expect(readIdentity(program.pid)).toBeNull();
		expect(await program.waitForExit(60_000)).toMatchObject({ signal: 'SIGKILL', stdout: 'upheard' });
	});

	it('changes nothing when it had ended', async () => {
		await using program = await startScript('');
		await program.kill();
		expect(unwrap(await stopRunner(program.identity))).toBe('gone');
	});

	it('never touches another process that was given its pid', async () => {
		await using program = await startScript(IGNORES);
		const earlier = { pid: program.pid, startTime: `${program.identity.startTime}0` };
		expect(unwrap(await stopRunner(earlier, { graceMs: 1 }))).toBe('gone');
		expect(unwrap(await stopRunner({ pid: program.pid, startTime: 'unknown' }, { graceMs: 1 }))).toBe('gone');
		expect(readIdentity(program.pid)).toEqual(program.identity);
		expect(program.output().stdout).toBe('up');
	});

	it('may be done by several at once', async () => {
		await using program = await startScript(OBEYS);
		const outcomes = await Promise.all([stopRunner(program.identity), stopRunner(program.identity)]);
		expect(outcomes.map((outcome) => outcome.ok)).toEqual([true, true]);
		expect(readIdentity(program.pid)).toBeNull();
	});
	it('leaves no trace of a runner that had to be killed for it: that one was wished away', async () => {
		await using temp = await createTempDir();
		await using program = await startScript(IGNORES);
		const home = unwrap(resolveHome({ ROOST_HOME: temp.path }));
		unwrap(ensureHome(home));
		const entry = { ...program.identity, port: 1, version: '0', startedAt: 0 };
		writeFileSync(join(home.run, 'runner.json'), JSON.stringify(entry), { mode: 0o600 });
		expect(unwrap(readRunnerState(home))).toBe('up');
		expect(unwrap(await takeDown({ ROOST_HOME: temp.path }, program.identity, { graceMs: 100 }))).toBe('killed');
		expect(unwrap(readRunnerState(home))).toBe('ended');
	});
});

async function startScript(handlers: string) {
	const script = `const alive = setInterval(() => {}, 1e6); ${handlers} process.stdout.write('up');`;
	const program = await startProgram([process.execPath, '--eval', script], { cwd: '/', env: {} });
	await waitFor(() => program.output().stdout || undefined, { what: 'the program', seen: program.output });
	const identity = readIdentity(program.pid);
	if (!identity) throw new Error('the program lives');
	return { ...program, identity };
}
