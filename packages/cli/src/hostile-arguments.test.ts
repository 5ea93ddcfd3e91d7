// Hostile strings as every argument and option of every command, and in the output of commands. `--help` provides the list.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostileStrings } from '@roost/testkit/corpora/hostile-strings';
import { argumentsIn, driveCli, readCommands } from '@roost/testkit/rigs/runner/drive-cli';
import { type RunnerProcess, startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const EVERY = process.env.ROOST_SOAK ? 1 : 12;
const TIMEOUT = { timeout: 3_600_000 };
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

describe('hostile strings on the command line', () => {
	it('have no effect in an argument or option, and are printed escaped', TIMEOUT, async () => {
		await using world = await startWorld();
		const fields = await world.fields();
		expect(fields.length).toBeGreaterThanOrEqual(35);
		const runs = fields.flatMap(({ words, toArgs }, index) =>
			world.strings
				.filter((_, at) => at % EVERY === index % EVERY)
				.map(({ name, text }) => ({ label: `${words}, ${name}`, args: toArgs(text) })),
		);
		const outputs = await world.drive(runs.map(({ args }) => args));
		for (const [index, { label }] of runs.entries()) expectClean(outputs[index], label);
		expect(existsSync(world.canary)).toBe(false);
		expect((await world.drive([['verify']]))[0]).toMatchObject({ code: 0 });
	});

	it('are printed escaped wherever commands show recorded data', TIMEOUT, async () => {
		await using world = await startWorld();
		const denied = await world.sayAll();
		expect(denied).toBeLessThan(5);
		const shown = [
			['sessions', '--all'],
			['feed', world.session],
			['feed', world.session, '--verbose'],
			['asks'],
			['asks', '--all'],
			['rules'],
			['verify'],
			['search', 'touch'],
		];
		const outputs = await world.drive(shown);
		for (const [index, args] of shown.entries()) {
			expectClean(outputs[index], args.join(' '));
			expect(outputs[index], `${args.join(' ')}: ${outputs[index]?.stdout.slice(-500)}`).toMatchObject({ code: 0 });
		}
		// The table comes first, then the input of the first request.
		const [table = ''] = outputs[3]?.stdout.split('\n\n') ?? [];
		expect(table.split('\n')).toHaveLength(world.strings.length - denied + 1);
		expect(existsSync(world.canary)).toBe(false);
	});
});

type Output = Awaited<ReturnType<typeof driveCli>>[number];

// Characters that move, hide or reorder text; newlines and tabs are text.
const RAW = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Cs}\u00ad\u200b-\u200d\u2028\u2029\u2060\ufeff\u{e0000}-\u{e007f}]/u;

function expectClean(output: Output | undefined, label: string): void {
	const text = `${output?.stdout}${output?.stderr}`;
	const raw = RAW.exec(text);
	expect.soft(raw && JSON.stringify(text.slice(Math.max(0, raw.index - 80), raw.index + 20)), label).toBeNull();
	expect.soft(text, label).not.toMatch(/\n\s+at \S+ \(|node:internal/);
}

/** Their commands pass all arguments to the agent. */
const LAUNCHED = ['claude', 'codex', 'copilot', 'pi'];

type Field = { words: string; toArgs(hostile: string): string[] };

async function startWorld() {
	await using stack = new AsyncDisposableStack();
	// Agents that do nothing, so that their commands exit at once.
	const idle = { command: 'true' };
	const agents = Object.fromEntries(LAUNCHED.map((agent) => [agent, idle]));
	const roost = stack.use(await startRunnerProcess({ config: { agents } }));
	const agent = await roost.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
	const canary = join(roost.folder, 'canary');
	// An argument cannot contain a NUL or malformed text.
	const strings = hostileStrings(canary)
		.filter(({ text }) => !text.includes('\0'))
		.filter(({ text }) => text.isWellFormed());
	const bin = join(roost.folder, 'bin');
	await mkdir(bin);
	for (const agent of LAUNCHED) await writeFile(join(bin, agent), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
	const env = { ...roost.env, PATH: `${bin}:${roost.env.PATH}` };
	const drive = (runs: readonly (readonly string[])[]) => driveCli(runs, { cwd: roost.folder, env });
	const owned = stack.move();
	return {
		canary,
		strings,
		session: agent.sessionId,
		drive,
		fields: () => readFields(drive, agent.sessionId),
		/** Reports every string as a prompt, as a command that waits for an answer, and as a rule. */
		async sayAll() {
			const base = { session_id: NATIVE, cwd: roost.folder };
			for (const { text } of strings) {
				await agent.report({ ...base, hook_event_name: 'UserPromptSubmit', prompt: text });
				await agent.report({ ...base, hook_event_name: 'Notification', message: text, title: text });
				await agent.report({ ...base, hook_event_name: text || 'x', tool_name: text });
				const scope = { scope: 'session', scopeId: text };
				await roost.call('POST', '/api/v1/rules', { tool: text, argsPattern: text, decision: 'ask', ...scope });
			}
			// A prompt ends pending requests, so these come last. They wait until the runner ends, except those denied for reaching Roost's own files.
			let denied = 0;
			for (const { text } of strings) {
				const ask = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: text } };
				agent.report({ ...base, ...ask }).then(
					() => denied++,
					() => undefined,
				);
			}
			const countAnswers = async () => (await countAsks(roost)) + denied;
			await waitFor(async () => ((await countAnswers()) === strings.length ? true : undefined), {
				what: 'every ask',
				seen: countAnswers,
			});
			return denied;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function countAsks(roost: RunnerProcess): Promise<number> {
	const asks: unknown[] = JSON.parse((await roost.call('GET', '/api/v1/asks')).body);
	return asks.length;
}

type Drive = (runs: readonly (readonly string[])[]) => Promise<Output[]>;

/** Every argument and every option with a value, for every command in `--help`. */
async function readFields(drive: Drive, session: string): Promise<Field[]> {
	const commands = (await readCommands(drive)).filter(({ words }) => !WRITING.has(words.join(' ')));
	return commands.flatMap(({ words, help }) => fieldsOf(words, help, session));
}

/** It creates the given folder anywhere on the disk. */
const WRITING = new Set(['install']);

const SAMPLES: Record<string, string> = { decision: 'deny', tool: 'Bash', ask: 'x', rule: 'x', words: 'x' };
/** Required options, and options that keep the command read-only. */
const NEEDED: Record<string, string[]> = {
	'rules test': ['--tool', 'Bash', '--input', '{}'],
	// Prompts are tested where an agent takes them.
	run: ['--agent', 'nobody'],
};

function fieldsOf(command: string[], help: string, session: string): Field[] {
	const words = command.join(' ');
	const names = argumentsIn(help).map((name) => name.replace('...', ''));
	const operands = names.map((name) => (name === 'session' ? session : (SAMPLES[name] ?? 'x')));
	const given = LAUNCHED.includes(words) ? [] : operands;
	const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+) </gm)].flatMap(([, name]) => (name ? [name] : []));
	const needed = NEEDED[words] ?? [];
	return [
		...names.map((name, at) => ({
			words: `${words} <${name}>`,
			toArgs: (hostile: string) => [...command, ...needed, ...operands.with(at, hostile)],
		})),
		...options.map((option) => ({
			words: `${words} ${option}`,
			toArgs: (hostile: string) => [...command, ...given, ...needed, option, hostile],
		})),
		// An unknown option with a hostile name.
		{ words, toArgs: (hostile: string) => [...command, `--${hostile}`] },
	];
}
