// The adapter of Claude: its command line, what is deployed, and that the real program starts with both.
import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { cannotRun, claude, program } from '@roost/testkit/rigs/requirements';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTmuxRig, type TmuxSession } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { AgentAdapter, HooksDef } from '../base/types.ts';
import { createClaudeAdapter } from './claude-adapter.ts';

const run = promisify(execFile);
const NOTHING = { instructions: '', mcpServers: {}, leftOut: [] };
const bare = createClaudeAdapter({ readSurroundings: async () => NOTHING });
const opts = { model: 'sonnet', permissionMode: 'ask', cwd: '/', env: {} } as const;

describe('spawn command', () => {
	it('sets model and permission mode, and disables all setting sources', () => {
		expect(bare.buildSpawnCommand(opts)).toBe('claude --setting-sources= --model=sonnet --permission-mode=manual');
		expect(bare.buildSpawnCommand({ ...opts, permissionMode: 'bypass' })).toContain('--permission-mode=bypassPermissions');
	});

	it('quotes each text as one argument', () => {
		const command = bare.buildSpawnCommand({
			...opts,
			model: '$(touch x)',
			systemPrompt: "first; it's",
			appendSystemPrompt: '`second`',
			appendSystemPromptFile: '/a b/c',
		});
		expect(command).toBe(
			`claude --setting-sources= '--model=$(touch x)' --permission-mode=manual ${"'--append-system-prompt=first; it'\\''s\n\n`second`'"} '--append-system-prompt-file=/a b/c'`,
		);
	});

	it('ends with the deployed arguments and rejects a second instructions file', () => {
		const deployed = { argv: ['--append-system-prompt-file=/x'], env: {}, files: [], remove: async () => {} };
		expect(bare.buildSpawnCommand({ ...opts, deployed })).toMatch(/ --append-system-prompt-file=\/x$/);
		expect(() => bare.buildSpawnCommand({ ...opts, deployed, appendSystemPromptFile: '/y' })).toThrow('deployed');
	});

	it('puts the prompt of a print command after all flags', () => {
		expect(bare.buildPrintCommand('--help', 'haiku').slice(-3)).toEqual(['--model=haiku', '--', '--help']);
		expect(bare.buildPrintCommand('why').join(' ')).not.toContain('--model');
	});
});

describe('environment', () => {
	it('contains the model variables, and agent name and worktree if given', () => {
		const model = { model: 'sonnet', env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } };
		expect(bare.buildEnv(model)).toEqual(model.env);
		expect(bare.buildEnv(model, { agentName: 'ada', worktreePath: '/w' })).toEqual({
			...model.env,
			ROOST_AGENT_NAME: 'ada',
			ROOST_WORKTREE_PATH: '/w',
		});
	});
});

describe('deployed config', () => {
	it('is written outside the worktree, is private to the user, and removes only its own files', async () => {
		await using temp = await createTempDir();
		const { hooks, worktree } = await openWorktree(temp.path);
		const texts = {
			...NOTHING,
			instructions: 'House rules.',
			mcpServers: { notes: { command: 'notes', env: { KEY: 'secret' } } },
		};
		const adapter = createClaudeAdapter({ readSurroundings: async () => texts });
		const deployed = await adapter.deployConfig(worktree, { content: 'Do the task.' }, hooks);
		await writeFile(join(hooks.stateDir, 'other'), '');
		const instructions = join(hooks.stateDir, 'claude-instructions.md');
		expect(await readFile(instructions, 'utf8')).toBe('House rules.\n\nDo the task.');
		expect(deployed.argv.join(' ')).not.toContain('secret');
		for (const file of deployed.files) expect((await stat(file)).mode & 0o777).toBe(0o600);
		const { stdout } = await run('git', ['-C', worktree, 'status', '--porcelain']);
		expect(stdout).toBe('');
		await deployed.remove();
		await expect(stat(instructions)).rejects.toThrow('ENOENT');
		expect((await stat(join(hooks.stateDir, 'other'))).isFile()).toBe(true);
	});

	it('replaces an existing file or symlink without following the symlink', async () => {
		await using temp = await createTempDir();
		const { hooks, worktree } = await openWorktree(temp.path);
		await mkdir(hooks.stateDir, { mode: 0o700 });
		await writeFile(join(temp.path, 'precious'), 'kept');
		await symlink(join(temp.path, 'precious'), join(hooks.stateDir, 'claude-instructions.md'));
		await bare.deployConfig(worktree, { content: 'one' }, hooks);
		await bare.deployConfig(worktree, { content: 'two' }, hooks);
		expect(await readFile(join(temp.path, 'precious'), 'utf8')).toBe('kept');
		expect(await readFile(join(hooks.stateDir, 'claude-instructions.md'), 'utf8')).toBe('two');
	});

	it('adds no system prompt if there are no instructions', async () => {
		await using temp = await createTempDir();
		const { hooks, worktree } = await openWorktree(temp.path);
		const { argv } = await bare.deployConfig(worktree, undefined, hooks);
		expect(argv.join(' ')).not.toContain('system-prompt');
	});
});

describe('transcript summary', () => {
	const SAMPLE = fileURLToPath(new URL('./transcript/samples/session.jsonl', import.meta.url));

	it('counts cache reads and writes as input tokens', async () => {
		const summary = await bare.parseTranscript(SAMPLE);
		const usage = summary?.usage['claude-opus-5-5'];
		expect(summary).toMatchObject({ model: 'claude-opus-5-5', outputTokens: usage?.output_tokens });
		const { input_tokens = 0, cache_read_tokens = 0, cache_write_tokens = 0 } = usage ?? {};
		expect(cache_read_tokens).toBeGreaterThan(0);
		expect(summary?.inputTokens).toBe(input_tokens + cache_read_tokens + cache_write_tokens);
	});
});

describe.skipIf(cannotRun([claude(), program('git'), program('tmux')]))('real claude', { timeout: 120_000 }, () => {
	it('gets through all startup dialogs, with its instructions and guard but no repository settings', async () => {
		await using rig = await openClaudeRig({
			script: scriptTurns([callTool('Bash', { command: 'git push' })], [say('Here I am.')]),
		});
		const { hooks, worktree } = await openWorktree(rig.home);
		const canary = join(rig.home, 'canary');
		await mkdir(join(worktree, '.claude'), { recursive: true });
		const onStart = [{ hooks: [{ type: 'command', command: `touch '${canary}'` }] }];
		await writeFile(join(worktree, '.claude', 'settings.json'), JSON.stringify({ hooks: { SessionStart: onStart } }));
		const adapter = createClaudeAdapter({ readSurroundings: async () => ({ ...NOTHING, instructions: 'HOUSE-RULES' }) });
		const deployed = await adapter.deployConfig(worktree, { content: 'YOUR-TASK' }, hooks);
		const command = adapter.buildSpawnCommand({ ...opts, permissionMode: 'bypass', cwd: worktree, deployed });
		await using tmux = await createTmuxRig();
		const env = await claudeOnPath(rig, { IS_SANDBOX: '1', ANTHROPIC_API_KEY: 'another-key-1' });
		const terminal = await tmux.start(['sh', '-c', command], { cwd: worktree, env });
		// The trust dialog may appear twice: Claude redraws it while it starts.
		const keys = (await takeThrough(adapter, terminal)).join(' ');
		expect(keys).toMatch(/^(?:Down Enter ){1,2}Up Enter Down Enter$/);
		await terminal.type('who are you');
		await terminal.key('Enter');
		await terminal.waitForScreen(/Here I am\./, 60_000);
		const asked = JSON.stringify(rig.requests);
		expect(['HOUSE-RULES', 'YOUR-TASK'].filter((words) => !asked.includes(words))).toEqual([]);
		expect(rig.requests.at(-1)?.toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('push') }]);
		await expect(stat(canary)).rejects.toThrow('ENOENT');
	});

	it('answers a print command without a terminal', async () => {
		await using rig = await openClaudeRig({ script: scriptTurns([say('Because.')]) });
		const [, ...args] = bare.buildPrintCommand('why?', 'sonnet');
		expect(await rig.run(args)).toMatchObject({ code: 0, stdout: 'Because.\n' });
	});
});

const CALM_MS = 400;
const KEY_MS = 10_000;

/** Presses the returned key once the screen is stable: a starting Claude redraws dialogs with another row selected. */
async function takeThrough(adapter: AgentAdapter, terminal: TmuxSession): Promise<string[]> {
	const keys: string[] = [];
	let shown = { screen: '', since: 0, presses: 0 };
	await waitFor(
		async () => {
			const screen = await terminal.screen();
			const state = adapter.detectReady(screen);
			if (state.phase === 'ready') return true;
			if (screen !== shown.screen) shown = { screen, since: performance.now(), presses: 0 };
			const due = shown.presses === 0 ? CALM_MS : KEY_MS;
			if (state.phase !== 'dialog' || performance.now() - shown.since < due) return undefined;
			if (shown.presses === 0) keys.push(state.action);
			shown = { screen, since: performance.now(), presses: shown.presses + 1 };
			await terminal.key(state.action);
			return undefined;
		},
		{ what: 'claude to be ready', seen: () => terminal.screen() },
	);
	return keys;
}

async function claudeOnPath(rig: ClaudeRig, more: Record<string, string>): Promise<Record<string, string>> {
	const bin = join(rig.home, 'bin');
	await mkdir(bin);
	await symlink(rig.program, join(bin, 'claude'));
	return { ...rig.env, ...more, PATH: `${bin}:${rig.env.PATH}` };
}

async function openWorktree(root: string): Promise<{ worktree: string; hooks: HooksDef }> {
	const worktree = join(root, 'worktree');
	await mkdir(worktree);
	await createGitRepository(worktree, { PATH: process.env.PATH ?? '', HOME: root });
	const stateDir = join(root, 'state');
	return { worktree, hooks: { agentName: 'ada', capability: 'builder', worktreePath: worktree, stateDir } };
}
