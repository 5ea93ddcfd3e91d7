import { ok } from '@roost/protocol/result';
import { describe, expect, it } from 'vitest';
import { readModels } from './open-thread.ts';

const LISTED = {
	data: [
		{ model: 'gpt-6-astra', hidden: false },
		{ model: 'gpt-5', hidden: true },
	],
};
const peer = { request: async (method: string) => ok(method === 'model/list' ? LISTED : {}) };

describe('Codex models', () => {
	it('are the listed OpenAI models, while hidden and fine-tuned ones are accepted too', async () => {
		const choice = await readModels(peer, 'openai');
		expect(choice?.names).toEqual(['gpt-6-astra']);
		expect(['gpt-6-astra', 'gpt-5', 'ft:gpt-5:me', 'opus'].map((name) => choice?.has(name))).toEqual([true, true, true, false]);
	});

	it('are unknown for other providers', async () => {
		expect(await readModels(peer, 'scripted')).toBeNull();
		expect(await readModels(peer, undefined)).toBeNull();
	});
});
