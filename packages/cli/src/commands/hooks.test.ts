// Hooks in a project, with the real claude: it knows of Roost only through the settings of the project.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const ORIGINAL = '{ "permissions": {"allow": ["Bash(touch made.txt)"]},\n\t"hooks": {} }\n';
const SESSION = '0b7c9f4e-3c1d-4b6e-9a55-6f1f6f6f6f6f';
const DEADLINE_MS = 120_000;

describe('roost hooks', { timeout: 3 * DEADLINE_MS }, () => {
	it('record every claude of the project until uninstalled, and uninstalling restores the settings', async () => {
		await using world = await openWorld();
		expect(await world.roost('hooks', 'install', '--yes')).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/nothing is asked, decided or blocked(.|\n)*Warning: .* is not ignored by git/),
		});
		expect(await world.settings()).not.toBe(ORIGINAL);
		expect(await world.roost('hooks', 'status')).toMatchObject({ code: 0, stdout: expect.stringContaining('Installed:') });
		await world.roost('rules', 'add', 'deny', 'Bash', '--scope', 'user');

		expect(await world.claude.run(['-p', 'make it'], { timeoutMs: DEADLINE_MS })).toMatchObject({ code: 0, stdout: 'done\n' });
		expect(existsSync(join(world.claude.project, 'made.txt'))).toBe(true);
		const [session] = await world.json('sessions', '--json');
		expect(session).toMatchObject({ agent: 'claude', status: 'ended', projectPath: world.claude.project, title: 'make it' });
		const kinds = await world.kinds(session.id);
		expect(kinds).toEqual(expect.arrayContaining(['session.start', 'user.prompt', 'tool.pre', 'tool.post', 'session.end']));
		expect(kinds.filter((kind) => kind === 'session.start')).toHaveLength(1);
		expect(kinds.filter((kind) => kind.startsWith('permission.') || kind === 'runtime.error')).toEqual([]);
		expect(await world.json('asks', '--all', '--json')).toEqual([]);

		expect(await world.roost('hooks', 'uninstall')).toMatchObject({ code: 0, stdout: expect.stringContaining('Uninstalled') });
		expect(await world.settings()).toBe(ORIGINAL);
		expect(await world.roost('hooks')).toMatchObject({ code: 0, stdout: expect.stringContaining('Not installed') });
		await world.claude.run(['-p', 'again'], { timeoutMs: DEADLINE_MS });
		expect(await world.json('sessions', '--json')).toHaveLength(1);
		expect(await world.roost('verify')).toMatchObject({ code: 0 });
	});

	it('start a runner if none is up, from any folder of the project, and ignore repository settings', async () => {
		await using world = await openWorld();
		await world.roost('hooks', 'install', '--yes');
		expect(await world.json('status', '--json')).toBeNull();
		const cwd = join(world.claude.project, 'deep');
		await mkdir(cwd);
		const elsewhere = join(world.claude.home, 'elsewhere');
		const shared = { env: { ROOST_HOME: elsewhere, ROOST_PORT: '1', ROOST_HOOK_GATE: 'enforce' } };
		await writeFile(join(world.claude.project, '.claude', 'settings.json'), JSON.stringify(shared));
		// Retried if the runner started more slowly than the hook waits.
		const session = await waitFor(
			async () => {
				const run = await world.claude.run(['-p', 'go'], { cwd, timeoutMs: DEADLINE_MS });
				expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
				return (await world.json('sessions', '--json'))[0];
			},
			{ deadlineMs: DEADLINE_MS, what: 'a session on record' },
		);
		expect(session).toMatchObject({ projectPath: world.claude.project, title: 'go', status: 'ended' });
		expect(await world.kinds(session.id)).toEqual(expect.arrayContaining(['user.prompt', 'session.end']));
		expect(existsSync(elsewhere)).toBe(false);
		expect(await world.json('status', '--json')).toMatchObject({ pid: expect.any(Number) });
	});

	it('restart the runner for a session that continues, but only at a new prompt', async () => {
		await using world = await openWorld();
		await world.roost('hooks', 'install', '--yes');
		await world.roost('up', '--detach');
		await world.fire('SessionStart', { source: 'startup' });
		await world.roost('down');
		expect(await world.fire('Stop')).toMatchObject({ code: 0, stdout: '', stderr: '' });
		expect(await world.json('status', '--json')).toBeNull();
		// Retried if the runner started more slowly than the hook waits.
		await waitFor(
			async () => {
				await world.fire('UserPromptSubmit', { prompt: 'and now this' });
				return (await world.json('sessions', '--json'))[0].title === 'and now this' ? true : undefined;
			},
			{ deadlineMs: DEADLINE_MS, what: 'the prompt to be on record' },
		);
		expect(await world.json('status', '--json')).toMatchObject({ pid: expect.any(Number) });
		const sessions = await world.json('sessions', '--json');
		expect(sessions).toHaveLength(1);
		expect(await world.kinds(sessions[0].id)).toEqual(expect.arrayContaining(['session.start', 'user.prompt']));
	});

	it('report nothing twice when Roost itself launched the session', async () => {
		await using world = await openWorld();
		await world.roost('hooks', 'install', '--yes');
		await world.roost('claude', '-p', 'go');
		const sessions = await world.json('sessions', '--json');
		expect(sessions).toHaveLength(1);
		expect((await world.kinds(sessions[0].id)).filter((kind) => kind === 'user.prompt')).toHaveLength(1);
	});

	it('are written only with --yes, and never by an agent', async () => {
		await using world = await openWorld();
		const shown = await world.roost('hooks', 'install');
		expect(shown).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
		expect(shown.stdout).not.toContain('+++');
		expect(shown.stdout).toContain('Use --diff to see every line.');
		const whole = await world.roost('hooks', 'install', '--diff');
		expect(whole).toMatchObject({ code: 2, stdout: expect.stringContaining('+++ b/.claude/settings.local.json') });
		expect(shown.stdout).toContain('Adds 31 hooks in .claude/settings.local.json and changes nothing else.');
		expect(await world.roost('hooks', 'install', '--json')).toMatchObject({ code: 2, stdout: '' });
		const agent = { ...world.env, ROOST_SESSION: 's1' };
		for (const command of ['install', 'uninstall'])
			expect(await roost(world.claude, agent, 'hooks', command, '--json')).toMatchObject({
				code: 1,
				stderr: expect.stringContaining('unauthorized'),
			});
		expect(await world.settings()).toBe(ORIGINAL);
		expect(await world.json('hooks', 'status', '--json')).toEqual({ project: world.claude.project, state: 'none' });
	});

	it('show hidden characters in the settings escaped', async () => {
		await using world = await openWorld();
		await writeFile(join(world.claude.project, '.claude', 'settings.local.json'), '{"a":"\u202e\u200bb"}\n');
		expect((await world.roost('hooks', 'install', '--diff')).stdout).toContain('"a":"\\u{202e}\\u{200b}b"');
	});

	it('are reported when modified or removed, and installing again repairs them', async () => {
		await using world = await openWorld();
		await world.roost('hooks', 'install', '--yes');
		const path = join(world.claude.project, '.claude', 'settings.local.json');
		const installed = await world.settings();
		await writeFile(path, installed.replace('"PreToolUse",', '"PreToolUse", "--x",'));
		const drifted = await world.roost('hooks', 'status');
		expect(drifted).toMatchObject({
			code: 1,
			stdout: expect.stringContaining('not as this version installs them for: PreToolUse'),
		});
		expect(drifted.stdout).toContain('hooks install');
		await writeFile(path, ORIGINAL);
		expect(await world.roost('hooks', 'status', '--json')).toMatchObject({
			code: 1,
			stdout: expect.stringContaining('every entry of Roost was removed'),
		});
		expect(await world.json('hooks', 'install', '--yes', '--json')).toMatchObject({ changed: true });
		expect(await world.settings()).toBe(installed);
		expect(await world.roost('hooks', 'status')).toMatchObject({ code: 0 });
		expect(await world.json('hooks', 'install', '--json')).toMatchObject({ changed: false });
	});
});

async function openWorld() {
	const claude = await openClaudeRig({
		script: ({ toolResults }) => ({
			kind: 'message',
			blocks: [
				toolResults.length > 0 ? say('done') : callTool('Bash', { command: 'touch made.txt', description: 'make a file' }),
			],
		}),
	});
	const env = claude.roostEnv;
	await mkdir(join(claude.project, '.claude'));
	const path = join(claude.project, '.claude', 'settings.local.json');
	await writeFile(path, ORIGINAL);
	const run = (...args: readonly string[]) => roost(claude, env, ...args);
	return {
		claude,
		env,
		roost: run,
		settings: () => readFile(path, 'utf8'),
		/** Runs the installed entry as claude would. */
		async fire(event: string, more: object = {}) {
			const [{ hooks }] = JSON.parse(await readFile(path, 'utf8')).hooks[event];
			const input = JSON.stringify({ session_id: SESSION, cwd: claude.project, hook_event_name: event, ...more });
			await using entry = await startProgram([hooks[0].command, ...hooks[0].args], {
				cwd: claude.project,
				env: claude.env,
				input,
			});
			return await entry.waitForExit(DEADLINE_MS);
		},
		json: async (...args: readonly string[]) => JSON.parse((await run(...args)).stdout),
		async kinds(session: string): Promise<string[]> {
			const { stdout } = await run('feed', session, '--json', '--verbose');
			return stdout
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line).event.kind);
		},
		[Symbol.asyncDispose]: () => claude[Symbol.asyncDispose](),
	};
}

async function roost(claude: ClaudeRig, env: Record<string, string>, ...args: readonly string[]) {
	await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
	return await program.waitForExit(DEADLINE_MS);
}
