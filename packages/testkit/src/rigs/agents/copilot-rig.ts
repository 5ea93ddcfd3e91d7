// The real `copilot` against a scripted model, driven by its own adapter or by the generic ACP client; it never contacts GitHub.
import { join } from 'node:path';
import { type AcpAgentDeps, createAcpAgent } from '@roost/agents/acp/open-acp-agent';
import { type CopilotAgentDeps, createCopilotAgent } from '@roost/agents/copilot/copilot-agent';
import { startFakeChatCompletions } from '../../fakes/chat-completions-server.ts';
import { callTool } from '../../fakes/model-reply.ts';
import { type AgentRig, type AgentRigOptions, type AgentWords, openAgentRig, type RigKind } from './agent-rig.ts';

export type CopilotRig = AgentRig<CopilotAgentDeps>;

export function openCopilotRig(options: AgentRigOptions<CopilotAgentDeps>): Promise<CopilotRig> {
	return openAgentRig(COPILOT, options);
}

/** `copilot --acp` behind the generic client, which knows nothing of Copilot. */
export function openAcpRig(options: AgentRigOptions<AcpAgentDeps>): Promise<AgentRig<AcpAgentDeps>> {
	return openAgentRig(COPILOT_ACP, options);
}

export const copilotWords: AgentWords = {
	shell: (command) => callTool('bash', { command, description: 'run it' }),
	write: (path, text) => callTool('create', { path, file_text: text }),
	read: (path) => callTool('view', { path }),
	question: () => null,
};

const COPILOT: RigKind<CopilotAgentDeps> = {
	program: 'copilot',
	startModel: startFakeChatCompletions,
	setUp: async ({ configDir }, modelUrl) => ({
		COPILOT_HOME: configDir,
		// Copilot unpacks itself there, which takes seconds: once for all tests.
		COPILOT_CACHE_HOME: join(import.meta.dirname, '../../../../../node_modules/.cache/copilot'),
		COPILOT_OFFLINE: 'true',
		COPILOT_AUTO_UPDATE: 'false',
		COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
		COPILOT_PROVIDER_API_KEY: 'dummy',
		COPILOT_MODEL: 'fake-model',
	}),
	toDeps: ({ program, env }) => ({ command: [program], env: () => env }),
	createAgent: createCopilotAgent,
};

const COPILOT_ACP: RigKind<AcpAgentDeps> = {
	...COPILOT,
	toDeps: ({ program, env }) => ({
		agent: 'acp:copilot --acp',
		title: 'copilot',
		argv: () => [program, '--acp'],
		env: () => env,
	}),
	createAgent: createAcpAgent,
};
