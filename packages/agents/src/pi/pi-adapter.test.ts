// The adapter of Pi: command lines, deployed files, and session files.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { PI_SESSION_SAMPLE } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { createPiAdapter } from './pi-adapter.ts';

const pi = createPiAdapter();
const SPAWN = { model: 'sonnet', permissionMode: 'bypass', cwd: '/project', env: {} } as const;

describe('Pi command line', () => {
	it('quotes every value for a terminal', () => {
		const command = pi.buildSpawnCommand({ ...SPAWN, appendSystemPrompt: "it's $(touch x); `y`", systemPrompt: '--help' });
		const words: string[] = JSON.parse(
			execFileSync('sh', ['-c', `"$NODE" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- ${command}`], {
				encoding: 'utf8',
				env: { NODE: process.execPath },
			}),
		);
		expect(words).toEqual([
			...['pi', '--no-approve', '--model', 'anthropic/claude-sonnet-5', '--system-prompt', '--help'],
			...['--append-system-prompt', "it's $(touch x); `y`"],
		]);
	});

	it.each([
		['opus', {}, 'anthropic/claude-opus-5-5'],
		['haiku', { provider: 'amazon-bedrock' }, 'amazon-bedrock/claude-haiku-4-5'],
		['sonnet', { modelMap: { sonnet: 'openrouter/sonnet' } }, 'openrouter/sonnet'],
		['mine', { provider: 'local', modelMap: { mine: 'qwen' } }, 'local/qwen'],
		['openrouter/gpt-5', { provider: 'anthropic' }, 'openrouter/gpt-5'],
		['gpt-5', {}, 'gpt-5'],
		['toString', {}, 'toString'],
	])('resolves model %s with config %j to %s', (model, config, meant) => {
		expect(createPiAdapter(config).buildSpawnCommand({ ...SPAWN, model })).toContain(`--model ${meant}`);
	});

	it('prints one response without tools, and never reads the prompt as a flag or a file', () => {
		const last = (prompt: string) => pi.buildPrintCommand(prompt).slice(-2);
		expect(last('--version')).toEqual(['--', '--version']);
		expect(last('@/etc/passwd')).toEqual(['--', ' @/etc/passwd']);
		expect(pi.buildPrintCommand('why?', 'opus')).toEqual([
			...['pi', '--print', '--no-approve', '--no-extensions', '--no-tools', '--no-session'],
			...['--model', 'anthropic/claude-opus-5-5', '--', 'why?'],
		]);
	});

	it('puts the agent name and worktree path into the environment', () => {
		expect(pi.buildEnv({ model: 'x', env: { KEY: 'k' } })).toEqual({ KEY: 'k' });
		const who = { agentName: 'ada', worktreePath: '/w' };
		expect(pi.buildEnv({ model: 'x' }, who)).toEqual({ ROOST_AGENT_NAME: 'ada', ROOST_WORKTREE_PATH: '/w' });
	});
});

describe('Pi deployment', () => {
	it('stays outside the worktree, leaves its AGENTS.md alone and can be removed', async () => {
		await using temp = await createTempDir();
		const [worktree, stateDir] = [join(temp.path, 'worktree'), join(temp.path, 'state')];
		await mkdir(worktree);
		await mkdir(stateDir, { mode: 0o700 });
		await writeFile(join(worktree, 'AGENTS.md'), 'theirs');
		const hooks = { agentName: 'ada', capability: 'builder', worktreePath: worktree, stateDir };
		const deployed = await pi.deployConfig(worktree, { content: 'ours' }, hooks);
		expect(readFileSync(join(worktree, 'AGENTS.md'), 'utf8')).toBe('theirs');
		expect(deployed.files.every((file) => file.startsWith(stateDir) && existsSync(file))).toBe(true);
		const command = pi.buildSpawnCommand({ ...SPAWN, deployed });
		expect(command).toContain(`--append-system-prompt ${join(stateDir, 'pi', 'AGENTS.md')}`);
		expect(command).toMatch(/--no-extensions --extension \S+guard-extension\.ts/);
		await deployed.remove();
		expect(deployed.files.some((file) => existsSync(file))).toBe(false);
		const bare = await pi.deployConfig(worktree, undefined, hooks);
		expect(bare.argv).not.toContain('--append-system-prompt');
	});
});

describe('Pi session file', () => {
	const used = { input_tokens: 2068, output_tokens: 112, cache_read_tokens: 400, cache_write_tokens: 0 };
	const whole = { inputTokens: 2468, outputTokens: 112, model: 'fake-model', usage: { 'fake-model': used } };

	it('is summed exactly despite malformed lines and a truncated last line', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		expect(await pi.parseTranscript(PI_SESSION_SAMPLE)).toEqual(whole);
		await copyFile(PI_SESSION_SAMPLE, path);
		await appendFile(
			path,
			'\nnot json\n{"type":"message"}\n[]\n{"type":"message","id":"x","message":{"role":"assistant","usage":{"input":',
		);
		expect(await pi.parseTranscript(path)).toEqual(whole);
	});

	it('includes usage outside messages, and excludes usage copied from a parent session', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		const usage = { input: 10, output: 3, cacheRead: 0, cacheWrite: 5, reasoning: 2 };
		const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
		const lines = [
			{ type: 'session', id: 'x', timestamp: at(5), parentSession: '/before.jsonl' },
			{ type: 'message', id: 'a', timestamp: at(1), message: { role: 'assistant', model: 'm', usage } },
			{ type: 'message', id: 'b', timestamp: at(6), message: { role: 'assistant', model: 'm', usage } },
			{ type: 'usage', kind: 'cache_warm', timestamp: at(7), model: 'n', usage },
			{ type: 'compaction', id: 'c', timestamp: at(8), usage },
		];
		await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
		const once = { input_tokens: 10, output_tokens: 3, cache_read_tokens: 0, cache_write_tokens: 5, reasoning_tokens: 2 };
		const twice = { input_tokens: 20, output_tokens: 6, cache_read_tokens: 0, cache_write_tokens: 10, reasoning_tokens: 4 };
		expect(await pi.parseTranscript(path)).toEqual({
			inputTokens: 45,
			outputTokens: 9,
			model: 'm',
			usage: { m: twice, n: once },
		});
	});
});
