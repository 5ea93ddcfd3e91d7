// An ACP agent driven by Roost's generic client, for tests: a scripted peer, or the real `copilot`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AcpAgentDeps, createAcpAgent } from '@roost/agents/acp/open-acp-agent';
import type { DrivableAgent, DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import { acpPeerArgv, type PeerPlan } from '../../fakes/acp-peer-plan.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { createTempDir } from '../temp-dir.ts';
import type { AgentRig, OpenAgentRig } from './agent-rig.ts';
import { createCopilotHome } from './copilot-home.ts';
import { allowAll, type DrivenStory, listenTo, type TestGate } from './driven-story.ts';

/** The real `copilot --acp`, of which the generic client knows nothing. */
export const openAcpRig: OpenAgentRig = async ({ script, env: more }): Promise<AgentRig> => {
	const copilot = await createCopilotHome({ script });
	const { project, home, program } = copilot;
	const env = { ...copilot.env, ...more };
	const agent = createAcpAgent({
		agent: 'acp:copilot --acp',
		title: 'copilot',
		argv: () => [program, '--acp'],
		env: () => env,
	});
	return {
		agent,
		project,
		home,
		env,
		requests: copilot.model.requests,
		[Symbol.asyncDispose]: () => copilot[Symbol.asyncDispose](),
	};
};

export type AcpPeerRig = AsyncDisposable & {
	readonly agent: DrivableAgent;
	readonly project: string;
	/** Where the peer keeps its sessions, under their ids. */
	readonly sessions: string;
	/** Stopped. */
	open(request?: Partial<DrivenRequest>): DrivenAgent;
	/** Started, and heard by the test. */
	start(request?: Partial<DrivenRequest>, gate?: TestGate): DrivenStory;
};

export async function openAcpPeerRig(plan: PeerPlan, deps: Partial<AcpAgentDeps> = {}): Promise<AcpPeerRig> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	stack.defer(() => endProcessesWithEnv(temp.path));
	const project = join(temp.path, 'project');
	await mkdir(project);
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path };
	await createGitRepository(project, env);
	const agent = createAcpAgent({
		agent: 'acp:scripted',
		title: 'The peer',
		argv: () => acpPeerArgv(plan),
		env: () => env,
		...deps,
	});
	const owned = stack.move();
	const open = (request: Partial<DrivenRequest> = {}) => {
		const driven = agent.open({ cwd: project, gate: 'enforce', ...request });
		owned.defer(() => driven.connection.close());
		return driven;
	};
	return {
		agent,
		project,
		sessions: join(temp.path, 'acp-sessions'),
		open,
		start: (request, gate = allowAll) => listenTo(open(request), gate),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
