import { describe, expect, it } from 'vitest';
import { withMissingKey } from './event-reporter.ts';

const USUAL = 'USUAL_API_KEY';

describe('missing API key', () => {
	it.each([
		['codex', 'Missing environment variable: `MY_PROVIDER_KEY`.', 'MY_PROVIDER_KEY'],
		['codex', 'unexpected status 401 Unauthorized: Missing bearer or basic authentication in header', USUAL],
		['claude', 'Not logged in · Please run /login', USUAL],
		['pi', 'The model failed: No API key found for groq.', 'GROQ_API_KEY'],
		['pi', 'No API key for provider: zai-coding-cn', 'ZAI_CODING_CN_API_KEY'],
		['pi', 'No API key found for google.', 'GEMINI_API_KEY'],
		['pi', 'Pi ended: No models available. (exit code 1)', USUAL],
		['copilot', 'Copilot ended by itself (exit code 1). It said: No authentication information found.', USUAL],
		['copilot', 'Offline mode requires a local model provider. Set COPILOT_PROVIDER_BASE_URL.', 'COPILOT_PROVIDER_BASE_URL'],
	])('adds a config hint for %s: %s', (agent, sentence, name) => {
		expect(withMissingKey(agent, sentence, USUAL)).toContain(
			`add "agents: {${agent}: {env: {${name}: <value>}}}" to config.yaml`,
		);
	});

	it('adds no hint if the variable is unknown', () => {
		expect(withMissingKey('own', 'Not logged in.')).toBe('Not logged in.');
	});

	it.each(['API Error: 529 busy.', 'Invalid API key · Fix external API key', 'The tests need MY_KEY.'])(
		'leaves other messages unchanged: %s',
		(sentence) => {
			expect(withMissingKey('claude', sentence, USUAL)).toBe(sentence);
		},
	);
});
