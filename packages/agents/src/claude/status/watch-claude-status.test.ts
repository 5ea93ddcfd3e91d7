import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGate } from '@roost/testkit/fakes/gate';
import { callTool, message, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { createClaudeRig } from '@roost/testkit/rigs/claude-rig';
import { startInteractiveClaude } from '@roost/testkit/rigs/interactive-claude';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTmuxRig } from '@roost/testkit/rigs/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { ClaudeStatus } from './claude-status.ts';
import { watchClaudeStatus } from './watch-claude-status.ts';

const NEVER_MS = 1_000_000;
const SCREEN = ['─'.repeat(80), '❯ ', '─'.repeat(80), '  ⏸ manual mode on · ? for shortcuts'];

describe('a watch of the status', () => {
	it('hears of a change by the system, without looking', async () => {
		await using temp = await createTempDir();
		await writeStatus(temp.path, 'idle');
		const { told, next, watch } = follow(temp.path, NEVER_MS);
		using _watch = watch;
		await next('idle file');
		await writeStatus(temp.path, 'busy');
		await next('busy file');
		await rm(join(temp.path, 'sessions', `${process.pid}.json`));
		await next('unknown none');
		expect(told).toHaveLength(3);
	});

	it('finds a directory that comes later by looking', async () => {
		await using temp = await createTempDir();
		const { next, watch } = follow(temp.path, 20);
		using _watch = watch;
		expect(watch.current()).toMatchObject({ status: 'unknown', source: 'none' });
		await writeStatus(temp.path, 'busy');
		await next('busy file');
	});

	it('falls back to hooks and to the screen while there is no file, and tells nothing twice', async () => {
		await using temp = await createTempDir();
		const { told, next, watch } = follow(temp.path, 20);
		using _watch = watch;
		watch.sawScreen(['nothing to see']);
		watch.sawScreen(SCREEN);
		watch.sawScreen(SCREEN);
		await next('idle screen');
		const context = { cwd: '/', transcriptPath: '' };
		const interaction = { expectsDecision: false };
		watch.sawEvent({
			id: 'e',
			timestamp: Date.now(),
			hookName: 'UserPromptSubmit',
			sessionId: 's',
			payload: {},
			context,
			interaction,
		});
		await next('busy hooks');
		await writeStatus(temp.path, 'idle');
		await next('idle file');
		expect(told).toHaveLength(3);
	});

	it('knows nothing more of a process that was killed, whatever it left behind', async () => {
		await using temp = await createTempDir();
		await using sleeper = await startProgram(['sleep', '60'], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
		const { told, next, watch } = follow(temp.path, 20, sleeper.pid);
		using _watch = watch;
		watch.sawScreen(SCREEN);
		await next('idle screen');
		await sleeper.kill();
		await next('unknown none');
		watch.sawScreen(SCREEN);
		expect(told).toHaveLength(2);
	});

	it('tells nothing once it is disposed', async () => {
		await using temp = await createTempDir();
		const { told, watch } = follow(temp.path, 20);
		watch[Symbol.dispose]();
		watch.sawScreen(SCREEN);
		expect(told).toEqual([]);
	});
});

describe.skipIf(cannotRun([claude(), program('git'), program('tmux')]))('the real claude', { timeout: 90_000 }, () => {
	it('is followed from idle to busy, to waiting, and to idle again', async () => {
		const gate = createGate();
		const slowly = message([say('I will ', 'make it.'), callTool('Bash', { command: 'touch made' })], { pace: { gate } });
		await using rig = await createClaudeRig({ script: scriptTurns(slowly, [say('Made it.')]) });
		await using tmux = await createTmuxRig();
		const user = await startInteractiveClaude(rig, tmux);
		const { told, next, watch } = follow(rig.configDir, 200, user.terminal.pid);
		using _watch = watch;
		await next('idle file');
		await user.prompt('make a file');
		await next('busy file');
		gate.open();
		await next('waiting file');
		expect(told.at(-1)?.waitingFor).toBe('permission prompt');
		await user.terminal.waitForScreen(/❯ 1\. Yes/, 20_000);
		watch.sawScreen((await user.terminal.screen()).split('\n'));
		await user.answerDialog('Enter', 20_000);
		await next('idle file');
		await user.terminal.kill();
		await next('unknown none');
	});
});

function follow(configDir: string, lookEveryMs: number, pid = process.pid) {
	const told: ClaudeStatus[] = [];
	const watch = watchClaudeStatus({ pid, configDir, lookEveryMs, onChange: (status) => told.push(status) });
	let seen = 0;
	/** Waits for the next change to be of that kind; what comes in between, as busy does between a dialog and the end, is passed over. */
	const next = (kind: string) =>
		waitFor(
			() => {
				const index = told.findIndex(({ status, source }, at) => at >= seen && `${status} ${source}` === kind);
				if (index < 0) return undefined;
				seen = index + 1;
				return true;
			},
			{ deadlineMs: 30_000, what: kind, seen: () => told },
		);
	return { told, next, watch };
}

/** In one step, as a reader must never see half of it here. */
async function writeStatus(configDir: string, status: string): Promise<void> {
	const path = join(configDir, 'sessions', `${process.pid}.json`);
	await mkdir(join(configDir, 'sessions'), { recursive: true });
	await writeFile(`${path}.tmp`, JSON.stringify({ pid: process.pid, status, statusUpdatedAt: Date.now() }));
	await rename(`${path}.tmp`, path);
}
