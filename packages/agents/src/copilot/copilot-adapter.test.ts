// Copilot as one kind of agent, as far as no program is needed: its commands, its screens, and its record of what was used.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { COPILOT_SESSION_SAMPLE, readCopilotHooks, readScreens } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { createCopilotAdapter } from './copilot-adapter.ts';
import { refuseSwitch } from './copilot-agent.ts';
import { createSessionEvents } from './session-events.ts';
import { copilotGuardWire } from './tool-calls.ts';

const copilot = createCopilotAdapter();
const OPTS = { model: 'gpt-5', cwd: '/w', env: {} };

describe('the commands of Copilot', () => {
	it('ask in the terminal unless guards stand in its way, and say every value as one word', () => {
		expect(copilot.buildSpawnCommand({ ...OPTS, permissionMode: 'ask' })).toBe('copilot --no-auto-update --model=gpt-5');
		const deployed = { argv: ['--deny-tool=shell(git push)'], env: {}, files: [], remove: async () => {} };
		expect(copilot.buildSpawnCommand({ ...OPTS, model: "a'; rm -rf ~", permissionMode: 'bypass', deployed })).toBe(
			`copilot --no-auto-update '--model=a'\\''; rm -rf ~' --allow-all-tools '--deny-tool=shell(git push)'`,
		);
	});

	it('take no system prompt, and say so', () => {
		expect(() => copilot.buildSpawnCommand({ ...OPTS, permissionMode: 'ask', appendSystemPrompt: 'x' })).toThrow(
			/deploy the text/,
		);
	});

	it('ask one question with whatever is in it', () => {
		const argv = copilot.buildPrintCommand('--yolo $(x)', 'gpt-5');
		expect(argv.slice(-2)).toEqual(['--model=gpt-5', '--prompt=--yolo $(x)']);
		expect(argv).not.toContain('--allow-all-tools');
	});

	it('know who the agent is', () => {
		const who = { agentName: 'bee', worktreePath: '/w' };
		expect(copilot.buildEnv({ model: 'm', env: { COPILOT_MODEL: 'm' } }, who)).toEqual({
			COPILOT_MODEL: 'm',
			ROOST_AGENT_NAME: 'bee',
			ROOST_WORKTREE_PATH: '/w',
		});
	});
});

describe('the screens of Copilot', () => {
	it.each([
		['tui-0-trust', { phase: 'dialog', action: 'Enter' }],
		['tui-1-start', { phase: 'ready' }],
		['tui-2-approval', { phase: 'loading' }],
		['tui-3-working', { phase: 'loading' }],
		['tui-4-after', { phase: 'ready' }],
		['tui-5-edit', { phase: 'loading' }],
		['tui-6-narrow-start', { phase: 'ready' }],
		['tui-7-narrow-working', { phase: 'loading' }],
	])('%s is understood', (name, state) => {
		expect(copilot.detectReady(readScreens('copilot').get(name) ?? '')).toEqual(state);
	});

	it('are all of them looked at', () => {
		expect(readScreens('copilot').size).toBe(8);
	});

	it('are of one at work as long as it says how to stop it', () => {
		const start = readScreens('copilot').get('tui-1-start') ?? '';
		expect(copilot.detectReady(`${start} ◎ Working · esc interrupt\n`)).toEqual({ phase: 'loading' });
	});

	it('are of one that waits, whatever was said', () => {
		const after = readScreens('copilot').get('tui-4-after') ?? '';
		const said = ' ❯ 1. Yes\n ● Do you want to go on? Press esc interrupt.\n';
		expect(copilot.detectReady(after.replace(' ~/project', `${said} ~/project`))).toEqual({ phase: 'ready' });
	});

	it.each(['tui-2-approval', 'tui-5-edit'])(
		'name no key where a call is asked about, whatever it shows of itself: %s',
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

	it('are none while there is nothing on them, or words are being typed', () => {
		expect(copilot.detectReady('')).toEqual({ phase: 'loading' });
		const typed = (readScreens('copilot').get('tui-1-start') ?? '').replace(/^❯$/m, '❯ some words');
		expect(copilot.detectReady(typed)).toEqual({ phase: 'loading' });
	});
});

describe('the record of a session', () => {
	const CALL = { input_tokens: 1034, output_tokens: 56, cache_read_tokens: 200, cache_write_tokens: 0, reasoning_tokens: 7 };
	const TWICE = { input_tokens: 2068, output_tokens: 112, cache_read_tokens: 400, cache_write_tokens: 0, reasoning_tokens: 14 };

	it('sums what each call used, and not the sums that Copilot adds at its end', async () => {
		expect(await copilot.parseTranscript(COPILOT_SESSION_SAMPLE)).toEqual({
			inputTokens: 2468,
			outputTokens: 112,
			model: 'fake-model',
			usage: { 'fake-model': TWICE },
		});
	});

	it('is read as far as it can be: half a last line, garbage, nothing, a folder, no file', async () => {
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

	it('is read on from where it was, also in the middle of a line', async () => {
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

describe('a hook of Copilot', () => {
	it('is read as a call in the normal form', () => {
		const calls = readCopilotHooks().filter(({ event }) => event === 'preToolUse');
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

	it('hears a refusal with its reason, and nothing else', () => {
		expect(copilotGuardWire.say({ allowed: true })).toEqual({ stdout: '', exitCode: 0 });
		const { stdout, exitCode } = copilotGuardWire.say({ allowed: false, reason: 'no' });
		expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' });
		expect(exitCode).toBe(2);
	});
});

describe('a prompt for Copilot', () => {
	it.each(['/allow-all on', '  /YOLO', '/autopilot do it', '/permissions allow-all', '/add-dir /'])(
		'%s does not reach it',
		(text) => {
			expect(refuseSwitch(text)).toMatch(/change the permission mode of the session instead/);
		},
	);

	it.each(['/compact', 'what does /allow-all do?', 'hello', '/'])('%s does', (text) => {
		expect(refuseSwitch(text)).toBeNull();
	});
});
