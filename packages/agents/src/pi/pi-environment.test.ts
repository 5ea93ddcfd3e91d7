import { describe, expect, it } from 'vitest';
import { toPiEnvironment } from './pi-environment.ts';

describe('environment of a driven Pi', () => {
	it('contains the variables Pi and its models need, and none of Roost or another Pi', () => {
		const processEnv = {
			PATH: '/bin',
			PI_CODING_AGENT_DIR: '/pi',
			PI_CODING_AGENT: '1',
			OPENROUTER_API_KEY: 'k',
			ROOST_AUTH_TOKEN: 't',
			SOMETHING_ELSE: 'x',
		};
		expect(toPiEnvironment({ processEnv, configured: { LLAMA_BASE_URL: 'http://x' }, session: 's1' })).toEqual({
			PATH: '/bin',
			PI_CODING_AGENT_DIR: '/pi',
			OPENROUTER_API_KEY: 'k',
			LLAMA_BASE_URL: 'http://x',
			ROOST_SESSION: 's1',
		});
	});
});
