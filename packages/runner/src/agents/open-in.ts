// The processes that have a conversation open right now, as far as its kind of agent tells of that.
import { findKind } from '@roost/agents/kinds';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { OpenIn } from '../driven/other-writer.ts';
import { statusFolders } from './agent-status.ts';

export function createOpenIn({ env, agents }: { env: NodeJS.ProcessEnv; agents: RunnerConfig['agents'] }): OpenIn {
	return async (agent, nativeId) => {
		const source = findKind(agent)?.status;
		if (!source) return [];
		const folders = statusFolders(agent, source, env, agents);
		return (await Promise.all(folders.map((folder) => source.findOpen(folder, nativeId)))).flat();
	};
}
