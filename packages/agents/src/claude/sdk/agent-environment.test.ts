import { describe, expect, it } from 'vitest';
import { toAgentEnvironment } from '../claude-kind.ts';

describe('agent environment', () => {
	it('passes variables that programs, logins and providers need', () => {
		const processEnv = {
			PATH: '/bin',
			HOME: '/home/lea',
			LC_TIME: 'de_DE',
			XDG_CONFIG_HOME: '/c',
			https_proxy: 'http://proxy',
			CLAUDE_CONFIG_DIR: '/claude',
			ANTHROPIC_API_KEY: 'key',
			CLAUDE_CODE_USE_BEDROCK: '1',
			AWS_REGION: 'eu-central-1',
			CLAUDE_CODE_OAUTH_TOKEN: 'token',
			DISABLE_TELEMETRY: '1',
			OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel',
			IS_SANDBOX: '1',
		};
		expect(toAgentEnvironment({ processEnv, configured: {} })).toEqual({ ...processEnv, ROOST_SESSION: 'driven' });
	});

	it('passes no other variables of the runner', () => {
		const processEnv = {
			GITHUB_TOKEN: 'x',
			NPM_TOKEN: 'x',
			DATABASE_URL: 'x',
			LD_PRELOAD: 'x',
			NODE_OPTIONS: 'x',
			PATHS: 'x',
			none: undefined,
		};
		expect(toAgentEnvironment({ processEnv, configured: {} })).toEqual({ ROOST_SESSION: 'driven' });
	});

	it('includes configured variables, which override inherited ones', () => {
		const env = toAgentEnvironment({ processEnv: { PATH: '/bin', TZ: 'UTC' }, configured: { PATH: '/mine', GITHUB_TOKEN: 'x' } });
		expect(env).toEqual({ PATH: '/mine', TZ: 'UTC', GITHUB_TOKEN: 'x', ROOST_SESSION: 'driven' });
	});

	it.each([
		'ROOST_TOKEN',
		'ROOST_HOME',
		'ROOST_GATE',
		'ROOST_HOOK_SECRET',
		'CLAUDECODE',
		'CLAUDE_CODE_ENTRYPOINT',
		'CLAUDE_CODE_SESSION_ID',
		'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
		'CLAUDE_CODE_MESSAGING_TOKEN',
		'CLAUDE_CODE_MESSAGING_SOCKET',
	])('never contains %s, even if it is configured', (name) => {
		expect(toAgentEnvironment({ processEnv: { [name]: 'x' }, configured: { [name]: 'y' } })).toEqual({ ROOST_SESSION: 'driven' });
	});

	it('always contains ROOST_SESSION, which configured variables cannot override', () => {
		expect(toAgentEnvironment({ processEnv: {}, configured: { ROOST_SESSION: '' }, session: 's1' })).toEqual({
			ROOST_SESSION: 's1',
		});
		expect(toAgentEnvironment({ processEnv: {}, configured: {}, session: '' }).ROOST_SESSION).toBe('driven');
	});
});
