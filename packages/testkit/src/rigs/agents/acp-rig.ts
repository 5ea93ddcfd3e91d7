// A scripted ACP agent behind Roost's generic client.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AcpAgentDeps, createAcpAgent } from '@roost/agents/acp/open-acp-agent';
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { acpPeerArgv, type PeerPlan } from '../../fakes/acp-peer-plan.ts';
import { endProcessesWithEnv } from '../live-processes.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { createTempDir } from '../temp-dir.ts';
import type { AgentRig } from './agent-rig.ts';
import { allowAll, listenTo } from './driven-story.ts';

export type AcpPeerRig = Pick<AgentRig, 'agent' | 'project' | 'open' | 'start' | typeof Symbol.asyncDispose> & {
	/** Where the peer keeps its sessions, under their ids. */
	readonly sessions: string;
};

export async function openAcpPeerRig(plan: PeerPlan, deps: Partial<AcpAgentDeps> = {}): Promise<AcpPeerRig> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	stack.defer(() => endProcessesWithEnv(temp.path));
	const project = join(temp.path, 'project');
	await mkdir(project);
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path };
	await createGitRepository(project, env);
	const own = { agent: 'acp:scripted', title: 'The peer', argv: () => acpPeerArgv(plan), env: () => env };
	const agent = createAcpAgent({ ...own, ...deps });
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
