// The real `pi` against a scripted model.
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createPiAgent, type PiAgentDeps } from '@roost/agents/pi/pi-wire';
import { startFakeAnthropic } from '../../fakes/anthropic-server.ts';
import { callTool } from '../../fakes/model-reply.ts';
import { type AgentRig, type AgentRigOptions, type AgentWords, openAgentRig, type RigKind } from './agent-rig.ts';

export type PiRig = AgentRig<PiAgentDeps>;

export function openPiRig(options: AgentRigOptions<PiAgentDeps>): Promise<PiRig> {
	return openAgentRig(PI, options);
}

export const piWords: AgentWords = {
	shell: (command) => callTool('bash', { command }),
	write: (path, text) => callTool('write', { path, content: text }),
	read: (path) => callTool('read', { path }),
	question: () => null,
};

export const PI_MODEL = 'fake/fake-model';

const PI: RigKind<PiAgentDeps> = {
	program: 'pi',
	startModel: startFakeAnthropic,
	async setUp({ configDir, tmp }, modelUrl) {
		await writeFile(join(configDir, 'models.json'), JSON.stringify({ providers: { fake: toProvider(modelUrl) } }));
		// Otherwise Pi waits seconds between retries.
		const settings = { defaultProvider: 'fake', defaultModel: 'fake-model', retry: { baseDelayMs: 20 } };
		await writeFile(join(configDir, 'settings.json'), JSON.stringify(settings));
		return {
			PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
			LANG: 'C.UTF-8',
			TERM: 'xterm-256color',
			SHELL: '/bin/sh',
			TMPDIR: tmp,
			PI_CODING_AGENT_DIR: configDir,
			PI_OFFLINE: '1',
			PI_TELEMETRY: '0',
		};
	},
	toDeps: ({ program, env }) => ({ env: () => env, command: [program] }),
	createAgent: createPiAgent,
	request: { model: PI_MODEL },
};

function toProvider(baseUrl: string) {
	const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
	const limits = { contextWindow: 200_000, maxTokens: 8000, input: ['text'], reasoning: false, cost };
	const models = ['fake-model', 'other-model'].map((id) => ({ id, name: id, ...limits }));
	return { baseUrl, api: 'anthropic-messages', apiKey: 'dummy', models };
}
