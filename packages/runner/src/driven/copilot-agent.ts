// Copilot as this runner drives it: its program and its environment, as the user configured them.
import { createCopilotAgent } from '@roost/agents/copilot/copilot-agent';
import { toCopilotEnvironment } from '@roost/agents/copilot/copilot-environment';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { AgentSetting } from './agent-setting.ts';

export function openCopilotAgent({ env, configured, command, unavailable }: AgentSetting): DrivableAgent {
	return createCopilotAgent({
		env: (session) => toCopilotEnvironment({ processEnv: env, configured, session }),
		command,
		unavailable,
	});
}
