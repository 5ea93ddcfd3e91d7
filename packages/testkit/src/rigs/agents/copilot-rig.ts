// The real `copilot` against a scripted model, driven through Roost's adapter, with a home and a repository of its own.
import { type CopilotAgentDeps, createCopilotAgent } from '@roost/agents/copilot/copilot-agent';
import type { DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { callTool } from '../../fakes/model-reply.ts';
import type { Script } from '../../fakes/script.ts';
import type { AgentRig, AgentWords } from './agent-rig.ts';
import { createCopilotHome } from './copilot-home.ts';
import { allowAll, type DrivenStory, listenTo, type TestGate } from './driven-story.ts';

export type CopilotRig = AgentRig & {
	readonly copilotHome: string;
	/** The `copilot` program itself. */
	readonly program: string;
	/** Stopped. */
	open(request?: Partial<DrivenRequest>): DrivenAgent;
	/** Started, and heard by the test. */
	start(request?: Partial<DrivenRequest>, gate?: TestGate): DrivenStory;
};

export const copilotWords: AgentWords = {
	shell: (command) => callTool('bash', { command, description: 'run it' }),
	write: (path, text) => callTool('create', { path, file_text: text }),
	read: (path) => callTool('view', { path }),
	question: () => null,
};

export async function openCopilotRig(options: {
	script: Script;
	env?: Readonly<Record<string, string>>;
	deps?: Partial<CopilotAgentDeps>;
}): Promise<CopilotRig> {
	const copilot = await createCopilotHome({ script: options.script });
	const { project, home, copilotHome, program } = copilot;
	const env = { ...copilot.env, ...options.env };
	const agent = createCopilotAgent({ command: [program], env: () => env, ...options.deps });
	const opened: DrivenAgent[] = [];
	const open = (request: Partial<DrivenRequest> = {}) => {
		const driven = agent.open({ cwd: project, gate: 'enforce', ...request });
		opened.push(driven);
		return driven;
	};
	return {
		agent,
		project,
		home,
		copilotHome,
		program,
		env,
		requests: copilot.model.requests,
		open,
		start: (request, gate = allowAll) => listenTo(open(request), gate),
		async [Symbol.asyncDispose]() {
			for (const { connection } of opened) connection.close();
			await copilot[Symbol.asyncDispose]();
		},
	};
}
