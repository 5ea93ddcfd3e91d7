// The real Claude in the shape that all agents' rigs have.
import { join } from 'node:path';
import { createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import { callTool } from '../../fakes/model-reply.ts';
import type { AgentWords, OpenAgentRig } from '../agents/agent-rig.ts';
import { createClaudeRig } from './claude-rig.ts';

export const claudeWords: AgentWords = {
	shell: (command) => callTool('Bash', { command, description: 'a command' }),
	write: (path, text) => callTool('Write', { file_path: path, content: text }),
	read: (path) => callTool('Read', { file_path: path }),
	question: (question, choices) =>
		callTool('AskUserQuestion', {
			questions: [
				{ question, header: 'Choose', multiSelect: false, options: choices.map((label) => ({ label, description: label })) },
			],
		}),
};

export const openClaudeAgentRig: OpenAgentRig = async ({ script, env = {}, program }) => {
	const claude = await createClaudeRig({ script });
	const whole = { ...claude.env, ...env };
	return {
		agent: createClaudeAgent({
			readSurroundings: async () => ({ instructions: '', mcpServers: {}, leftOut: [] }),
			env: () => whole,
			command: [program ?? claude.binary],
			privateDir: join(claude.home, 'private'),
		}),
		project: claude.project,
		home: whole.HOME ?? join(claude.project, '..'),
		env: whole,
		requests: claude.model.requests,
		[Symbol.asyncDispose]: () => claude[Symbol.asyncDispose](),
	};
};
