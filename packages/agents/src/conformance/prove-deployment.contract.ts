// Deploys a guard for an agent in a worktree, and proves that it fires.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { ConformanceRig } from '@roost/testkit/rigs/agents/agent-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import type { AgentAdapter } from '../base/types.ts';
import { type CanaryAgent, proveGuard } from '../guards/canary.ts';
import type { CanaryOutcome } from './stage.contract.ts';

export async function proveDeployment(
	rig: ConformanceRig,
	{ adapter, canary, program }: { adapter: AgentAdapter; canary: CanaryAgent; program: readonly [string, ...string[]] },
): Promise<CanaryOutcome> {
	await using temp = await createTempDir();
	const worktreePath = join(temp.path, 'worktree');
	execFileSync('git', ['worktree', 'add', '-q', '-b', 'roost/bee/work', worktreePath], { cwd: rig.project, env: rig.env });
	const def = { agentName: 'bee', capability: 'scout', worktreePath, stateDir: join(temp.path, 'state'), env: rig.env };
	const deployed = await adapter.deployConfig(worktreePath, undefined, def);
	try {
		const env = { ...rig.env, ...adapter.buildEnv({ model: '' }, def) };
		return await proveGuard({ agent: canary, program, def, deployed, env });
	} finally {
		await deployed.remove();
	}
}
