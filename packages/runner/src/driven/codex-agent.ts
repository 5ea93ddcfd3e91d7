// Codex as this runner drives it: its program, its environment and the hook that it runs before each call.
import { fileURLToPath } from 'node:url';
import { toCodexEnvironment } from '@roost/agents/codex/codex-environment';
import { createCodexAgent } from '@roost/agents/codex/live/create-codex-agent';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { VERSION } from '../version.ts';
import type { AgentSetting } from './agent-setting.ts';

export function openCodexAgent({ env, configured, command, unavailable, runDir }: AgentSetting): DrivableAgent {
	return createCodexAgent({
		env: (session) => toCodexEnvironment({ processEnv: env, configured, session }),
		command,
		unavailable,
		runDir,
		forwarder: { node: process.execPath, script: fileURLToPath(import.meta.resolve('@roost/agents/hooks/forwarder')) },
		version: VERSION,
	});
}
