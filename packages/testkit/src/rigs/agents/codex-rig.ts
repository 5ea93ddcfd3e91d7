// The real `codex` against a scripted model.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrokenSandbox } from '@roost/agents/codex/codex-kind';
import { type CodexAgentDeps, createCodexAgent } from '@roost/agents/codex/live/codex-setup';
import { callTool } from '../../fakes/model-reply.ts';
import { startFakeResponses } from '../../fakes/responses-server.ts';
import { type AgentRig, type AgentRigOptions, type AgentWords, openAgentRig, type RigKind } from './agent-rig.ts';
import { FORWARDER } from './observed-launch.ts';

export type CodexRig = AgentRig<CodexAgentDeps>;

export async function openCodexRig(options: AgentRigOptions<CodexAgentDeps>): Promise<CodexRig> {
	const obstacle = await findBrokenSandbox(process.env);
	if (obstacle) throw new Error(`${obstacle.says}. ${obstacle.remedy}`);
	return await openAgentRig(CODEX, options);
}

/** One of the models that Codex itself knows, and that is given its tools one by one. */
export const CODEX_MODEL = 'gpt-5.5';

const CODEX: RigKind<CodexAgentDeps> = {
	program: 'codex',
	configDir: 'home/.codex',
	startModel: startFakeResponses,
	async setUp({ configDir }, modelUrl) {
		await writeFile(join(configDir, 'config.toml'), toConfig(modelUrl));
		return { CODEX_HOME: configDir, LANG: 'C.UTF-8', FAKE_MODEL_KEY: 'dummy' };
	},
	toDeps: ({ program, env, root }) => ({
		command: [program],
		env: (session) => ({ ...env, ROOST_SESSION: session || 'driven' }),
		runDir: join(root, 'run'),
		forwarder: FORWARDER,
		version: '0.0.0',
	}),
	createAgent: createCodexAgent,
};

/** Without retries: an error is an error at once. */
function toConfig(modelUrl: string): string {
	return `model = "${CODEX_MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0
`;
}

export const codexWords: AgentWords = {
	shell: (command) => callTool('exec_command', { cmd: command }),
	write: (path, text) => callTool('apply_patch', { input: toPatch([{ add: path, text }]) }),
	read: (path) => callTool('exec_command', { cmd: `cat ${path}` }),
	question: (question, choices) =>
		callTool('request_user_input', {
			questions: [{ id: 'q1', header: 'Question', question, options: choices.map((label) => ({ label, description: label })) }],
		}),
};

/** In the format of Codex' own tool for patches. */
export function toPatch(
	changes: readonly ({ add: string; text: string } | { update: string; from: string; to: string })[],
): string {
	const parts = changes.map((change) =>
		'add' in change
			? `*** Add File: ${change.add}\n${lines(change.text, '+')}`
			: `*** Update File: ${change.update}\n@@\n${lines(change.from, '-')}\n${lines(change.to, '+')}`,
	);
	return `*** Begin Patch\n${parts.join('\n')}\n*** End Patch\n`;
}

function lines(text: string, sign: '+' | '-'): string {
	return text.replace(/\n$/, '').replaceAll(/^/gm, sign);
}
