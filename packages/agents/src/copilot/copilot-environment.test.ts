import { describe, expect, it } from 'vitest';
import { toCopilotEnvironment } from './copilot-kind.ts';

describe('environment of a driven Copilot', () => {
	it('contains the variables Copilot needs, without auto-approval or unrelated secrets', () => {
		const processEnv = {
			PATH: '/bin',
			COPILOT_HOME: '/c',
			COPILOT_PROVIDER_BASE_URL: 'http://m',
			GH_TOKEN: 't',
			COPILOT_ALLOW_ALL: 'true',
			COPILOT_HOOK_ALLOW_LOCALHOST: '1',
			AWS_SECRET_ACCESS_KEY: 's',
			ROOST_AUTH_TOKEN: 'r',
		};
		const configured = { COPILOT_MODEL: 'm', COPILOT_ALLOW_ALL: 'yes' };
		expect(toCopilotEnvironment({ processEnv, configured, session: 'S1' })).toEqual({
			PATH: '/bin',
			COPILOT_HOME: '/c',
			COPILOT_PROVIDER_BASE_URL: 'http://m',
			GH_TOKEN: 't',
			COPILOT_MODEL: 'm',
			ROOST_SESSION: 'S1',
		});
	});
});
