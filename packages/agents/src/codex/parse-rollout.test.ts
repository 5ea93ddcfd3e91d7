import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { CODEX_ROLLOUT } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import { parseRollout } from './rollout-files.ts';

/** What each call of the scripted model costs. */
const used = (calls: number) => ({
	input_tokens: 1034 * calls,
	output_tokens: 56 * calls,
	cache_read_tokens: 200 * calls,
	cache_write_tokens: 0,
	reasoning_tokens: 7 * calls,
});
const TWO_CALLS = { inputTokens: 2468, outputTokens: 112, model: 'gpt-5.2-codex', usage: { 'gpt-5.2-codex': used(2) } };

describe('Codex rollout file', () => {
	it('yields the exact usage', async () => {
		expect(await parseRollout(CODEX_ROLLOUT)).toEqual(TWO_CALLS);
	});

	it('yields the same usage in the older format without per-call records', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'old.jsonl');
		const lines = (await readFile(CODEX_ROLLOUT, 'utf8')).split('\n').filter((line) => !line.includes('"token_usage_record"'));
		await writeFile(path, lines.join('\n'));
		expect(await parseRollout(path)).toEqual(TWO_CALLS);
	});

	it('tolerates garbage and a truncated last line, and counts usage per model', async () => {
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
});
