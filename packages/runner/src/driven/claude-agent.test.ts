import { createMemoryMcpTrust } from '@roost/testkit/rigs/memory-mcp-trust';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { openDrivable } from './open-drivable.ts';

describe('the Claude that a runner drives', () => {
	it('is never another program than the one that is configured: where that is missing it says so and ends', async () => {
		await using temp = await createTempDir();
		const env = { PATH: '/usr/bin:/bin', HOME: temp.path, ROOST_HOME: temp.path };
		const config = { ...unwrap(loadConfig({ env })), agents: { claude: { command: ['no-such-claude'], env: {} } } };
		const agent = openDrivable({ env, config, mcpTrust: createMemoryMcpTrust(), runDir: temp.path }).get('claude');
		if (!agent) throw new Error('there is no claude');
		const { runtime } = agent.open({ cwd: temp.path, gate: 'enforce' });
		const told: unknown[] = [];
		runtime.onEvent(({ hookName, payload }) => told.push([hookName, payload]));
		runtime.start();
		expect(told).toMatchObject([
			['SessionStart', {}],
			[
				'StopFailure',
				{ last_assistant_message: 'agents.claude.command names no-such-claude, which is not on your PATH: mend it.' },
			],
			['SessionEnd', {}],
		]);
		expect(runtime.getStatus()).toBe('stopped');
	});
});
