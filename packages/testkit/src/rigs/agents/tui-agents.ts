// The real agents in their own terminals, each against a scripted model, in a shape that is the same for all.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentAdapter } from '@roost/agents/base/types';
import { createClaudeAdapter } from '@roost/agents/claude/claude-adapter';
import { createCodexAdapter } from '@roost/agents/codex/codex-adapter';
import { createCopilotAdapter } from '@roost/agents/copilot/copilot-adapter';
import { createPiAdapter } from '@roost/agents/pi/pi-adapter';
import { type Block, callTool } from '../../fakes/model-reply.ts';
import type { ModelRequest } from '../../fakes/model-request.ts';
import type { Script } from '../../fakes/script.ts';
import { createClaudeRig } from '../claude/claude-rig.ts';
import { claude, type Requirement } from '../requirements.ts';
import { createGitRepository } from '../shell/git-repository.ts';
import { agentProgram } from './agent-programs.ts';
import { CODEX_MODEL } from './codex-home.ts';
import { openCodexRig } from './codex-rig.ts';
import { createCopilotHome } from './copilot-home.ts';
import { copilotWords } from './copilot-rig.ts';
import { PI_MODEL } from './pi-home.ts';
import { openPiRig } from './pi-rig.ts';

export type TuiRig = AsyncDisposable & {
	readonly adapter: AgentAdapter;
	readonly model: string;
	/** The whole environment it is started with; its program is on the PATH there. */
	readonly env: Record<string, string>;
	/** A git repository that the agent was never in before. */
	readonly worktree: string;
	readonly requests: readonly ModelRequest[];
};

export type TuiAgentKind = {
	readonly name: string;
	readonly needs: Requirement;
	/** A call about which it asks in its terminal; null for one that asks nobody. */
	readonly asksAbout: ((command: string) => Block) | null;
	open(script: Script): Promise<TuiRig>;
};

export const TUI_AGENTS: readonly TuiAgentKind[] = [
	{
		name: 'claude',
		needs: claude(),
		asksAbout: (command) => callTool('Bash', { command }),
		async open(script) {
			const rig = await createClaudeRig({ script });
			const adapter = createClaudeAdapter({ readSurroundings: async () => ({ instructions: '', mcpServers: {}, leftOut: [] }) });
			return await toTuiRig(rig, { adapter, model: 'sonnet', program: rig.binary, requests: rig.model.requests });
		},
	},
	{
		name: 'pi',
		needs: agentProgram('pi'),
		asksAbout: null,
		async open(script) {
			const rig = await openPiRig({ script });
			return await toTuiRig(rig, { adapter: createPiAdapter(), model: PI_MODEL, program: rig.program, requests: rig.requests });
		},
	},
	{
		name: 'copilot',
		needs: agentProgram('copilot'),
		asksAbout: copilotWords.shell,
		async open(script) {
			const rig = await createCopilotHome({ script });
			const requests = rig.model.requests;
			return await toTuiRig(rig, { adapter: createCopilotAdapter(), model: 'fake-model', program: rig.program, requests });
		},
	},
	{
		name: 'codex',
		needs: agentProgram('codex'),
		asksAbout: (cmd) => callTool('exec_command', { cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' }),
		async open(script) {
			const rig = await openCodexRig({ script });
			const { binary: program, requests } = rig;
			return await toTuiRig(rig, { adapter: createCodexAdapter(), model: CODEX_MODEL, program, requests });
		},
	},
];

type Rig = AsyncDisposable & { readonly home: string; readonly env: Readonly<Record<string, string>> };

async function toTuiRig(
	rig: Rig,
	{ program, ...own }: Pick<TuiRig, 'adapter' | 'model' | 'requests'> & { program: string },
): Promise<TuiRig> {
	await using stack = new AsyncDisposableStack();
	stack.use(rig);
	const bin = join(rig.home, 'bin');
	const worktree = join(rig.home, 'worktree');
	await Promise.all([mkdir(bin), mkdir(worktree)]);
	await symlink(program, join(bin, own.adapter.program));
	await createGitRepository(worktree, { PATH: process.env.PATH ?? '', HOME: rig.home });
	const owned = stack.move();
	return {
		...own,
		worktree,
		env: { ...rig.env, PATH: `${bin}:${rig.env.PATH ?? ''}` },
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
