// The processes that have a conversation open right now, as far as its kind of agent tells of that.
import { findOpenClaudes } from '@roost/agents/claude/status/find-open-claudes';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { OpenIn } from '../driven/other-writer.ts';
import { claudeFolders } from './agent-status.ts';

export function createOpenIn({ env, agents }: { env: NodeJS.ProcessEnv; agents: RunnerConfig['agents'] }): OpenIn {
	const folders = [...claudeFolders(env, agents)];
	return async (agent, nativeId) => {
		if (agent !== 'claude') return [];
		return (await Promise.all(folders.map((folder) => findOpenClaudes(folder, nativeId)))).flat();
	};
}
