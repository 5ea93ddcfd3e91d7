// The adapter of Copilot without its program: command lines, screens, and usage records.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { COPILOT_SESSION_SAMPLE, readRecordedHooks, readScreens } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { createCopilotAdapter } from './copilot-adapter.ts';
import { refuseSwitch } from './copilot-agent.ts';
import { createSessionEvents } from './session-events.ts';
import { copilotGuardWire } from './tool-calls.ts';

const copilot = createCopilotAdapter();
const OPTS = { model: 'gpt-5', cwd: '/w', env: {} };

describe('Copilot command line', () => {
	it('asks in ask mode, allows all tools in guarded bypass mode, and quotes every value', () => {
		expect(copilot.buildSpawnCommand({ ...OPTS, permissionMode: 'ask' })).toBe('copilot --no-auto-update --model=gpt-5');
		const deployed = { argv: ['--deny-tool=shell(git push)'], env: {}, files: [], remove: async () => {} };
		expect(copilot.buildSpawnCommand({ ...OPTS, model: "a'; rm -rf ~", permissionMode: 'bypass', deployed })).toBe(
			`copilot --no-auto-update '--model=a'\\''; rm -rf ~' --allow-all-tools '--deny-tool=shell(git push)'`,
		);
	});

	it('rejects a system prompt with an explanation', () => {
		expect(() => copilot.buildSpawnCommand({ ...OPTS, permissionMode: 'ask', appendSystemPrompt: 'x' })).toThrow(
			/deploy the text/,
		);
	});

	it('passes a one-off prompt as a single argument, whatever it contains', () => {
		const argv = copilot.buildPrintCommand('--yolo $(x)', 'gpt-5');
		expect(argv.slice(-2)).toEqual(['--model=gpt-5', '--prompt=--yolo $(x)']);
		expect(argv).not.toContain('--allow-all-tools');
	});

	it('puts the agent name and worktree path into the environment', () => {
		const who = { agentName: 'bee', worktreePath: '/w' };
		expect(copilot.buildEnv({ model: 'm', env: { COPILOT_MODEL: 'm' } }, who)).toEqual({
			COPILOT_MODEL: 'm',
			ROOST_AGENT_NAME: 'bee',
			ROOST_WORKTREE_PATH: '/w',
		});
	});
});

describe('Copilot screen', () => {
	it.each([
		['tui-0-trust', { phase: 'dialog', action: 'Enter' }],
		['tui-1-start', { phase: 'ready' }],
		['tui-2-approval', { phase: 'loading' }],
		['tui-3-working', { phase: 'loading' }],
		['tui-4-after', { phase: 'ready' }],
		['tui-5-edit', { phase: 'loading' }],
		['tui-6-narrow-start', { phase: 'ready' }],
		['tui-7-narrow-working', { phase: 'loading' }],
	])('detects the phase of %s', (name, state) => {
		expect(copilot.detectReady(readScreens('copilot').get(name) ?? '')).toEqual(state);
	});

	it('covers all recorded screens', () => {
		expect(readScreens('copilot').size).toBe(8);
	});

	it('is loading as long as the interrupt hint is shown', () => {
		const start = readScreens('copilot').get('tui-1-start') ?? '';
		expect(copilot.detectReady(`${start} ◎ Working · esc interrupt\n`)).toEqual({ phase: 'loading' });
	});

	it('is ready whatever the transcript contains', () => {
		const after = readScreens('copilot').get('tui-4-after') ?? '';
		const text = ' ❯ 1. Yes\n ● Do you want to go on? Press esc interrupt.\n';
		expect(copilot.detectReady(after.replace(' ~/project', `${text} ~/project`))).toEqual({ phase: 'ready' });
	});

	it.each(['tui-2-approval', 'tui-5-edit'])(
		'names no key for an approval dialog, even if it imitates the trust dialog: %s',
		(name) => {
			const asking = readScreens('copilot').get(name) ?? '';
			const trust = (readScreens('copilot').get('tui-0-trust') ?? '').split('\n').filter((line) => line.startsWith('│'));
			const question = /^│ Do you want to .*$/m.exec(asking)?.[0] ?? '';
			const played = [
				asking.replace(question, `${trust.join('\n')}\n${question}`),
				asking.replace(question, '│ Do you trust the files in this folder? │'),
				asking.replace(question, `${question}\n${trust.join('\n')}`),
			];
			for (const screen of played) {
				expect(screen).not.toBe(asking);
				expect(copilot.detectReady(screen)).toEqual({ phase: 'loading' });
			}
		},
	);

	it('is loading while it is empty or a prompt is being typed', () => {
		expect(copilot.detectReady('')).toEqual({ phase: 'loading' });
		const typed = (readScreens('copilot').get('tui-1-start') ?? '').replace(/^❯$/m, '❯ some words');
		expect(copilot.detectReady(typed)).toEqual({ phase: 'loading' });
	});
});

describe('session transcript', () => {
	const CALL = { input_tokens: 1034, output_tokens: 56, cache_read_tokens: 200, cache_write_tokens: 0, reasoning_tokens: 7 };
	const TWICE = { input_tokens: 2068, output_tokens: 112, cache_read_tokens: 400, cache_write_tokens: 0, reasoning_tokens: 14 };

	it('adds up usage per call and ignores the totals at the end', async () => {
		expect(await copilot.parseTranscript(COPILOT_SESSION_SAMPLE)).toEqual({
			inputTokens: 2468,
			outputTokens: 112,
			model: 'fake-model',
			usage: { 'fake-model': TWICE },
		});
	});

	it('tolerates a truncated last line and garbage, and is null if empty, missing or a folder', async () => {
		await using dir = await createTempDir();
		const lines = (await readFile(COPILOT_SESSION_SAMPLE, 'utf8')).trim().split('\n');
		const at = lines.findLastIndex((line) => line.includes('usage_record'));
		const put = async (name: string, text: string) => {
			await writeFile(join(dir.path, name), text);
			return await copilot.parseTranscript(join(dir.path, name));
		};
		const cut = [...lines.slice(0, at), lines[at]?.slice(0, 400)].join('\n');
		expect(await put('cut', cut)).toMatchObject({ inputTokens: 1234, outputTokens: 56, usage: { 'fake-model': CALL } });
		const garbage = [
			'{"type":"session.usage_record"',
			'\u0000\u0001',
			'[]',
			'{"type":"session.usage_record","data":7}',
			...lines,
		].join('\n');
		expect(await put('garbage', garbage)).toMatchObject({ inputTokens: 2468 });
		expect(await put('empty', '')).toBeNull();
		await mkdir(join(dir.path, 'folder'));
		expect(await copilot.parseTranscript(join(dir.path, 'folder'))).toBeNull();
		expect(await copilot.parseTranscript(join(dir.path, 'nothing'))).toBeNull();
	});

	it('is read incrementally, even from the middle of a line', async () => {
		await using dir = await createTempDir();
		const path = join(dir.path, 'events.jsonl');
		const text = await readFile(COPILOT_SESSION_SAMPLE);
		const events = createSessionEvents(path);
		for (let from = 0; from < text.length; from += 999) {
			await appendFile(path, text.subarray(from, from + 999));
			await events.read();
		}
		expect((await events.read())?.usage).toEqual({ 'fake-model': TWICE });
	});
});

describe('Copilot hook', () => {
	it('is parsed into a normalized call', () => {
		const calls = readRecordedHooks('copilot').filter(({ event }) => event === 'preToolUse');
		expect(calls.map(({ payload }) => copilotGuardWire.readCall(payload))[0]).toEqual({
			tool: 'Bash',
			input: { command: 'echo FORBIDDEN', description: 'fake command' },
			cwd: expect.any(String),
		});
		const create = { cwd: '/w', toolName: 'create', toolArgs: JSON.stringify({ path: 'a', file_text: 'b' }) };
		expect(copilotGuardWire.readCall(create)).toEqual({ tool: 'Write', input: { file_path: 'a', content: 'b' }, cwd: '/w' });
		expect(copilotGuardWire.readCall({ toolName: 'bash' })).toBeNull();
		expect(copilotGuardWire.readCall('bash')).toBeNull();
	});

	it('gets no output for an allowed call, and a deny decision with exit code 2 otherwise', () => {
		expect(copilotGuardWire.say({ allowed: true })).toEqual({ stdout: '', exitCode: 0 });
		const { stdout, exitCode } = copilotGuardWire.say({ allowed: false, reason: 'no' });
		expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' });
		expect(exitCode).toBe(2);
	});
});

describe('Copilot prompt', () => {
	it.each(['/allow-all on', '  /YOLO', '/autopilot do it', '/permissions allow-all', '/add-dir /'])('%s is refused', (text) => {
		expect(refuseSwitch(text)).toMatch(/change the permission mode of the session instead/);
	});

	it.each(['/compact', 'what does /allow-all do?', 'hello', '/'])('%s is accepted', (text) => {
		expect(refuseSwitch(text)).toBeNull();
	});
});
