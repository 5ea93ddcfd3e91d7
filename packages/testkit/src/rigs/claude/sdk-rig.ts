// Claude driven through its SDK, for tests: the real program, a scripted model, and a gate that the test plays.
import { join } from 'node:path';
import { type ClaudeAgentDeps, createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import type { Surroundings } from '@roost/agents/claude/sdk/read-surroundings';
import type { DrivenAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { Script } from '../../fakes/script.ts';
import { allowAll, type DrivenStory, listenTo, type TestGate } from '../agents/driven-story.ts';
import { type ClaudeRig, createClaudeRig } from './claude-rig.ts';

export type SdkRig = AsyncDisposable & {
	readonly claude: ClaudeRig;
	/** Stopped. */
	open(request?: Partial<DrivenRequest>): DrivenAgent;
	/** Started, and heard by the test. */
	start(request?: Partial<DrivenRequest>, gate?: TestGate): DrivenStory;
};

const NOTHING_AROUND: Surroundings = { instructions: '', mcpServers: {}, leftOut: [] };

export async function openSdkRig(options: {
	script: Script;
	env?: Readonly<Record<string, string>>;
	surroundings?: Partial<Surroundings>;
	deps?: Partial<ClaudeAgentDeps>;
}): Promise<SdkRig> {
	const claude = await createClaudeRig({ script: options.script });
	const agent = createClaudeAgent({
		readSurroundings: async () => ({ ...NOTHING_AROUND, ...options.surroundings }),
		env: () => ({ ...claude.env, ...options.env }),
		command: [claude.binary],
		privateDir: join(claude.home, 'private'),
		...options.deps,
	});
	const opened: DrivenAgent[] = [];
	const open = (request: Partial<DrivenRequest> = {}) => {
		const driven = agent.open({ cwd: claude.project, gate: 'enforce', ...request });
		opened.push(driven);
		return driven;
	};
	return {
		claude,
		open,
		start: (request, gate = allowAll) => listenTo(open(request), gate),
		async [Symbol.asyncDispose]() {
			for (const { connection } of opened) connection.close();
			await claude[Symbol.asyncDispose]();
		},
	};
}
