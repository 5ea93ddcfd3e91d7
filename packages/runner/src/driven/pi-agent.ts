// Pi as this runner drives it: its program, its environment and its models, as the user configured them.
import { createPiAgent } from '@roost/agents/pi/pi-agent';
import { toPiEnvironment } from '@roost/agents/pi/pi-environment';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { AgentSetting } from './agent-setting.ts';

export function openPiAgent({ env, configured, command, unavailable, config }: AgentSetting): DrivableAgent {
	return createPiAgent({
		env: (session) => toPiEnvironment({ processEnv: env, configured, session }),
		command,
		unavailable,
		config: config.runtime.pi,
	});
}
