import { describe, expect, it } from 'vitest';
import { toCodexEnvironment } from './codex-kind.ts';

describe('the environment of a driven Codex', () => {
	it('has what programs, logins and providers need', () => {
		const processEnv = {
			PATH: '/bin',
			HOME: '/home/lea',
			CODEX_HOME: '/codex',
			OPENAI_API_KEY: 'key',
			OPENAI_BASE_URL: 'http://x',
		};
		expect(toCodexEnvironment({ processEnv, configured: {} })).toEqual({ ...processEnv, ROOST_SESSION: 'driven' });
	});

	it('has nothing of other agents, nor what the runner happens to have', () => {
		const processEnv = { GEMINI_API_KEY: 'x', GITHUB_TOKEN: 'x', LD_PRELOAD: 'x', NODE_OPTIONS: 'x', ROOST_HOOK_SECRET: 'x' };
		expect(toCodexEnvironment({ processEnv, configured: {} })).toEqual({ ROOST_SESSION: 'driven' });
	});

	it.each(['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID', 'ROOST_HOOK_SECRET'])(
		'never has %s, even where somebody configured it',
		(name) => {
			expect(toCodexEnvironment({ processEnv: { [name]: 'x' }, configured: { [name]: 'y' } })).toEqual({
				ROOST_SESSION: 'driven',
			});
		},
	);

	it('has the key of a provider that the user configured', () => {
		expect(toCodexEnvironment({ processEnv: {}, configured: { MY_PROVIDER_KEY: 'x' }, session: 's1' })).toEqual({
			MY_PROVIDER_KEY: 'x',
			ROOST_SESSION: 's1',
		});
	});
});
