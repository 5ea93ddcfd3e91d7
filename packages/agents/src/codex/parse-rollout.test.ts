import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { openCodexRig } from '@roost/testkit/rigs/codex-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { CODEX_ROLLOUT } from '@roost/testkit/samples/codex-samples';
import { describe, expect, it } from 'vitest';
import { parseRollout } from './parse-rollout.ts';

/** What each call of the scripted model costs. */
const used = (calls: number) => ({
	input_tokens: 1034 * calls,
	output_tokens: 56 * calls,
	cache_read_tokens: 200 * calls,
	cache_write_tokens: 0,
	reasoning_tokens: 7 * calls,
});
const TWO_CALLS = { inputTokens: 2468, outputTokens: 112, model: 'gpt-5.2-codex', usage: { 'gpt-5.2-codex': used(2) } };

describe('the file of a conversation of Codex', () => {
	it('says what was used, exactly', async () => {
		expect(await parseRollout(CODEX_ROLLOUT)).toEqual(TWO_CALLS);
	});

	it('says the same in the form of older versions, which have no record of each call', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'old.jsonl');
		const lines = (await readFile(CODEX_ROLLOUT, 'utf8')).split('\n').filter((line) => !line.includes('"token_usage_record"'));
		await writeFile(path, lines.join('\n'));
		expect(await parseRollout(path)).toEqual(TWO_CALLS);
	});

	it('is read as far as it goes: half a last line, garbage, and calls of two models', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'torn.jsonl');
		const text = await readFile(CODEX_ROLLOUT, 'utf8');
		const record = text.split('\n').find((line) => line.includes('"token_usage_record"')) ?? '';
		const context = '{"type":"turn_context","payload":{"model":"other"}}';
		const garbage = ['not json "token_count"', '{"type":"token_usage_record","payload":{}}', '[]', 'null'];
		await writeFile(path, [text.trim(), ...garbage, context, record, record.slice(0, 80)].join('\n'));
		expect(await parseRollout(path)).toEqual({
			inputTokens: 3702,
			outputTokens: 168,
			model: 'other',
			usage: { 'gpt-5.2-codex': used(2), other: used(1) },
		});
	});

	it('is none where it is empty, missing, a folder, or of somebody else', async () => {
		await using temp = await createTempDir();
		const empty = join(temp.path, 'empty.jsonl');
		const other = join(temp.path, 'other.jsonl');
		await writeFile(empty, '');
		await writeFile(other, '{"type":"assistant"}\n');
		const read = [empty, other, temp.path, join(temp.path, 'nowhere')].map(parseRollout);
		expect(await Promise.all(read)).toEqual([null, null, null, null]);
	});

	it('may be large: it is never held whole', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'large.jsonl');
		const head = (await readFile(CODEX_ROLLOUT, 'utf8')).trim();
		const filler = `${JSON.stringify({ type: 'response_item', payload: { text: 'x'.repeat(1024 * 1024) } })}\n`;
		const megabytes = process.env.ROOST_SOAK ? 1024 : 24;
		await using file = await open(path, 'w');
		await file.write(`${head}\n`);
		for (let written = 0; written < megabytes; written += 1) await file.write(filler);
		const before = process.memoryUsage().rss;
		expect(await parseRollout(path)).toEqual(TWO_CALLS);
		expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
	}, 120_000);

	it('agrees with what was just used', async () => {
		await using rig = await openCodexRig({ script: () => message([say('ok')]) });
		const { ask, events } = rig.start();
		await ask('one');
		await ask('two');
		const path = events.at(-1)?.context.transcriptPath ?? '';
		expect(await parseRollout(path)).toEqual({
			inputTokens: 2468,
			outputTokens: 112,
			model: 'gpt-5.5',
			usage: { 'gpt-5.5': used(2) },
		});
	}, 30_000);
});
