import { readFileSync } from 'node:fs';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { toModelName } from './kinds.ts';

const named = (agent: string, model: string, config?: Parameters<typeof toModelName>[2]) =>
	unwrap(toModelName(agent, model, config));

describe('model name', () => {
	it('is resolved from an alias for each agent', () => {
		expect(named('claude', 'opus')).toBe('opus');
		expect(named('copilot', 'sonnet')).toBe('claude-sonnet-5');
		expect(named('pi', 'haiku')).toBe('anthropic/claude-haiku-4-5');
	});

	it('is unchanged if it is not an alias or the agent’s models are unknown', () => {
		for (const agent of ['claude', 'codex', 'copilot', 'pi']) expect(named(agent, 'gpt-6-sol')).toBe('gpt-6-sol');
		expect(named('acp:gemini --acp', 'opus')).toBe('opus');
		for (const odd of ['__proto__', 'constructor', '']) expect(named('claude', odd)).toBe(odd);
	});

	it('is rejected for an agent without such a model', () => {
		expect(unwrapError(toModelName('codex', 'opus')).message).toBe('There is no "opus" for codex: name one of its own models.');
	});

	it('follows the model map and provider that the user configured for Pi', () => {
		const pi = { provider: 'openrouter', modelMap: { opus: 'mine/opus', small: 'x' } };
		expect(named('pi', 'opus', { pi })).toBe('mine/opus');
		expect(named('pi', 'small', { pi })).toBe('openrouter/x');
		expect(named('pi', 'other', { pi })).toBe('openrouter/other');
		expect(named('pi', 'a/b', { pi })).toBe('a/b');
		expect(named('pi', 'sonnet', { pi: { provider: 'anthropic' } })).toBe('anthropic/claude-sonnet-5');
	});

	it.skipIf(cannotRun([agentProgram('pi')]))('is in the model catalogue of Pi for every alias', () => {
		const catalogue = new URL('../../../node_modules/@earendil-works/pi-ai/dist/providers/data/', import.meta.url);
		const knownTo = (provider: string) => readFileSync(new URL(`${provider}.json`, catalogue), 'utf8');
		for (const alias of ['opus', 'sonnet', 'haiku']) {
			expect(knownTo('anthropic')).toContain(`"id":"${named('pi', alias).replace('anthropic/', '')}"`);
			// Pi reaches Copilot's models too, under Copilot's own names.
			expect(knownTo('github-copilot')).toContain(`"id":"${named('copilot', alias)}"`);
		}
	});
});
