// Session files of every agent, read alike: exact token counts, for files that are damaged, changed or very large.
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, copyFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { TUI_AGENTS } from '@roost/testkit/rigs/agents/every-agent';
import { inlineArgv, startProgram } from '@roost/testkit/rigs/program';
import { putLinks } from '@roost/testkit/rigs/put-files';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { CODEX_ROLLOUT, COPILOT_SESSION_SAMPLE, PI_SESSION_SAMPLE } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import type { TranscriptSummary } from './base/types.ts';
import { getAdapter } from './kinds.ts';

type Kind = {
	id: string;
	sample: string;
	/** The summary of the sample. */
	whole: TranscriptSummary;
	/** Makes the real program answer one prompt and keep the conversation. */
	print: (model: string) => readonly string[];
};

const TWO_CALLS = { input_tokens: 2068, output_tokens: 112, cache_read_tokens: 400, cache_write_tokens: 0 };
const REASONED = { ...TWO_CALLS, reasoning_tokens: 14 };

const KINDS: readonly Kind[] = [
	{
		id: 'claude',
		sample: fileURLToPath(new URL('./claude/transcript/samples/session.jsonl', import.meta.url)),
		whole: {
			inputTokens: 2985,
			outputTokens: 132,
			model: 'claude-opus-5-5',
			usage: { 'claude-opus-5-5': { input_tokens: 2853, output_tokens: 132, cache_read_tokens: 88, cache_write_tokens: 44 } },
		},
		print: (model) => ['--print', `--model=${model}`, 'hello'],
	},
	{
		id: 'codex',
		sample: CODEX_ROLLOUT,
		whole: { inputTokens: 2468, outputTokens: 112, model: 'gpt-5.2-codex', usage: { 'gpt-5.2-codex': REASONED } },
		print: (model) => ['exec', `--model=${model}`, 'hello'],
	},
	{
		id: 'pi',
		sample: PI_SESSION_SAMPLE,
		whole: { inputTokens: 2468, outputTokens: 112, model: 'fake-model', usage: { 'fake-model': TWO_CALLS } },
		print: (model) => ['--print', '--no-approve', '--model', model, 'hello'],
	},
	{
		id: 'copilot',
		sample: COPILOT_SESSION_SAMPLE,
		whole: { inputTokens: 2468, outputTokens: 112, model: 'fake-model', usage: { 'fake-model': REASONED } },
		print: () => ['--silent', '--no-ask-user', '--no-auto-update', '--prompt=hello'],
	},
];

describe.each(KINDS)('session transcript of $id', ({ id, sample, whole, print }) => {
	it('is summed exactly', async () => {
		expect(await read(id, sample)).toEqual(whole);
	});

	it('yields the same usage with and without a final newline, wherever it ends', async () => {
		await using temp = await createTempDir();
		const lines = (await readFile(sample, 'utf8')).trimEnd().split('\n');
		const put = async (text: string) => {
			const path = join(temp.path, 'session.jsonl');
			await writeFile(path, text);
			return await read(id, path);
		};
		for (let kept = 1; kept <= lines.length; kept++) {
			const text = lines.slice(0, kept).join('\n');
			expect(await put(text)).toEqual(await put(`${text}\n`));
		}
	});

	it('yields the same usage with a truncated last line and with garbage', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		const lines = (await readFile(sample, 'utf8')).trimEnd().split('\n');
		await writeFile(path, lines.join('\n'));
		await appendFile(path, `\n${lines.at(-1)?.slice(0, -9)}`);
		expect(await read(id, path)).toEqual(whole);
		const garbage = ['garbage', '\u0000\ufffd', '[]', 'null', '7', '{"type":7}', '{"type":"message"}', '{"usage":{}}', '{'];
		await writeFile(path, lines.flatMap((line, at) => [line, garbage[at % garbage.length]]).join('\n'));
		expect(await read(id, path)).toEqual(whole);
		await writeFile(path, Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from([0xff, 0xfe, 0xc3, 0x0a])]));
		expect(await read(id, path)).toEqual(whole);
	});

	it('is null if it is missing, empty, a folder or from another agent', async () => {
		await using temp = await createTempDir();
		const empty = join(temp.path, 'empty.jsonl');
		const folder = join(temp.path, 'folder.jsonl');
		await Promise.all([writeFile(empty, ''), mkdir(folder)]);
		const others = KINDS.filter((kind) => kind.id !== id).map((kind) => kind.sample);
		const none = [empty, folder, join(temp.path, 'missing.jsonl'), join(empty, 'below.jsonl'), '', ...others];
		expect(await Promise.all(none.map((path) => read(id, path)))).toEqual(none.map(() => null));
	});

	it.skipIf(cannotRun([program('mkfifo')]))('is null if it is a pipe, a device, a symlink or far too large', async () => {
		await using temp = await createTempDir();
		const at = (name: string) => join(temp.path, name);
		await (
			await startProgram(['mkfifo', at('pipe.jsonl')], { cwd: temp.path, env: { PATH: process.env.PATH ?? '' } })
		).waitForExit(60_000);
		await copyFile(sample, at('sparse.jsonl'));
		await truncate(at('sparse.jsonl'), 1024 ** 4);
		await putLinks(temp.path, { 'link.jsonl': sample, 'zero.jsonl': '/dev/zero', 'loop.jsonl': 'loop.jsonl' });
		const none = [
			...['pipe', 'sparse', 'link', 'zero', 'loop'].map((name) => at(`${name}.jsonl`)),
			'/dev/zero',
			'/dev/tty',
			'/proc/self/mem',
		];
		expect(await Promise.all(none.map((path) => read(id, path)))).toEqual(none.map(() => null));
	});

	it('may be larger than the memory available to read it', { timeout: 300_000 }, async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'session.jsonl');
		await copyFile(sample, path);
		await pipeline(filler(LARGE.megabytes), createWriteStream(path, { flags: 'a' }));
		await pipeline(createReadStream(sample), createWriteStream(path, { flags: 'a' }));
		const [node, ...args] = inlineArgv(READ_WITHIN);
		const argv = [node, ...SMALL, ...args, id, path] as const;
		await using reader = await startProgram(argv, { cwd: dirname(fileURLToPath(import.meta.url)), env: {} });
		const { code, stdout, stderr } = await reader.waitForExit(250_000);
		expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
		const reported = JSON.parse(stdout);
		expect(Object.keys(reported.summary.usage)).toEqual(Object.keys(whole.usage));
		expect(reported.summary.outputTokens).toBeGreaterThanOrEqual(whole.outputTokens);
		expect(reported.grownMegabytes).toBeLessThan(LARGE.mayGrow);
	});

	const agent = TUI_AGENTS.find(({ name }) => name === id);

	it.skipIf(cannotRun([...(agent ? [agent.needs] : []), program('git')]))(
		'yields the usage of the single call of a real run',
		{ timeout: 120_000 },
		async () => {
			const usage = {
				input_tokens: 1034,
				cache_read_input_tokens: 200,
				output_tokens: 56,
				output_tokens_details: { thinking_tokens: 7 },
			};
			const isOpenAi = id === 'codex' || id === 'copilot';
			await using rig = await agent?.open(() => message([say('Hello.')], isOpenAi ? {} : { usage }));
			if (!rig) throw new Error(`there is no rig for ${id}`);
			const { env, worktree: cwd } = rig;
			await using run = await startProgram([rig.adapter.program, ...print(rig.model)], { cwd, env });
			expect(await run.waitForExit(50_000)).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello.') });
			const root = dirname(env.HOME ?? '');
			const records = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.jsonl'));
			const summaries = await Promise.all(records.map((path) => read(id, join(root, path))));
			const found = summaries.filter((summary) => summary !== null);
			const used = {
				input_tokens: 1034,
				output_tokens: 56,
				cache_read_tokens: 200,
				cache_write_tokens: 0,
				reasoning_tokens: 7,
			};
			expect(found).toMatchObject([{ inputTokens: 1234, outputTokens: 56 }]);
			expect(found.map(({ usage: byModel }) => Object.values(byModel))).toEqual([[used]]);
		},
	);
});

/** A heap smaller than the file, and frequent collection: otherwise 100 MB of unused buffers accumulate. */
const SMALL = ['--max-old-space-size=40', '--max-semi-space-size=1'] as const;
const LARGE = process.env.ROOST_SOAK === '1' ? { megabytes: 1024, mayGrow: 256 } : { megabytes: 50, mayGrow: 40 };

/** Lines that every agent skips, although they contain words that look relevant. */
function* filler(megabytes: number): Generator<string> {
	const words = '"usage" "token_count" '.padEnd(64 * 1024, 'x');
	const line = `${JSON.stringify({ type: 'response_item', payload: { type: 'message', text: words } })}\n`;
	for (let written = 0; written < megabytes * 1024 * 1024; written += line.length) yield line;
}

const READ_WITHIN = `
const { getAdapter } = await import(${JSON.stringify(new URL('./kinds.ts', import.meta.url).href)});
const [id, path] = process.argv.slice(1);
const adapter = getAdapter(id);
if (!adapter.ok) throw adapter.error;
const before = process.resourceUsage().maxRSS;
const summary = await adapter.value.parseTranscript(path);
const grownMegabytes = (process.resourceUsage().maxRSS - before) / 1024;
console.log(JSON.stringify({ summary, grownMegabytes }));
`;

async function read(id: string, path: string): Promise<TranscriptSummary | null> {
	const adapter = getAdapter(id);
	if (!adapter.ok) throw adapter.error;
	return await adapter.value.parseTranscript(path);
}
