import { describe, expect, it } from 'vitest';
import { toCodexEnvironment } from './codex-kind.ts';

describe('environment of a driven Codex', () => {
	it('passes on the variables that programs, logins and providers need', () => {
		const processEnv = {
			PATH: '/bin',
			HOME: '/home/lea',
			CODEX_HOME: '/codex',
			OPENAI_API_KEY: 'key',
			OPENAI_BASE_URL: 'http://x',
		};
		expect(toCodexEnvironment({ processEnv, configured: {} })).toEqual({ ...processEnv, ROOST_SESSION: 'driven' });
	});

	it('drops variables that belong to other agents or only to the runner', () => {
		const processEnv = { GEMINI_API_KEY: 'x', GITHUB_TOKEN: 'x', LD_PRELOAD: 'x', NODE_OPTIONS: 'x', ROOST_HOOK_SECRET: 'x' };
		expect(toCodexEnvironment({ processEnv, configured: {} })).toEqual({ ROOST_SESSION: 'driven' });
	});

	it.each(['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID', 'ROOST_HOOK_SECRET'])(
		'never contains %s, even if it is configured',
		(name) => {
			expect(toCodexEnvironment({ processEnv: { [name]: 'x' }, configured: { [name]: 'y' } })).toEqual({
				ROOST_SESSION: 'driven',
			});
		},
	);

	it('contains the provider key that the user configured', () => {
		expect(toCodexEnvironment({ processEnv: {}, configured: { MY_PROVIDER_KEY: 'x' }, session: 's1' })).toEqual({
			MY_PROVIDER_KEY: 'x',
			ROOST_SESSION: 's1',
		});
	});
});
