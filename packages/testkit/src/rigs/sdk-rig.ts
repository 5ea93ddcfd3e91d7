// Claude driven through its SDK, for tests: the real program, a scripted model, and a gate that the test plays.
import { randomUUID } from 'node:crypto';
import { type ClaudeAgentDeps, createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import type { Surroundings } from '@roost/agents/claude/sdk/surroundings';
import type { Connection, DrivenAgent, DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import { promptId } from '@roost/protocol/ids';
import type { Script } from '../fakes/script.ts';
import { type ClaudeRig, createClaudeRig } from './claude-rig.ts';
import { waitFor } from './wait-for.ts';

export type SdkRig = AsyncDisposable & {
	readonly claude: ClaudeRig;
	/** Stopped. */
	open(request?: Partial<DrivenRequest>): DrivenAgent;
	/** Started, and heard by the test. */
	start(request?: Partial<DrivenRequest>, gate?: TestGate): DrivenStory;
};

/** What the test decides; undefined leaves the agent waiting. */
export type TestGate = (event: RuntimeEvent) => RuntimeDecision | undefined;

export type DrivenStory = {
	readonly runtime: Runtime;
	readonly connection: Connection;
	readonly events: readonly RuntimeEvent[];
	/** What was told under that name. */
	told(hookName: string): RuntimeEvent[];
	payloads(hookName: string): unknown[];
	until(hookName: string, count?: number): Promise<RuntimeEvent>;
	/** Sends it, and waits until that turn is over, however it ended. */
	ask(text: string): Promise<RuntimeEvent>;
};

export const NO_OPINION: RuntimeDecision = { type: 'passthrough', source: 'rule' };
export const ALLOW: RuntimeDecision = { type: 'json', source: 'rule', intent: { kind: 'permission_allow' } };

/** Nothing is objected to, and what needs permission gets it. */
export const allowAll: TestGate = (event) => (event.hookName === 'PreToolUse' ? NO_OPINION : ALLOW);

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
		executable: claude.binary,
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
		start: (request, gate = allowAll) => listen(open(request), gate),
		async [Symbol.asyncDispose]() {
			for (const { connection } of opened) connection.close();
			await claude[Symbol.asyncDispose]();
		},
	};
}

export function toPrompt(text: string): OutgoingPrompt {
	return { id: promptId.parse(randomUUID()), text };
}

function listen({ runtime, connection }: DrivenAgent, gate: TestGate): DrivenStory {
	const events: RuntimeEvent[] = [];
	runtime.onEvent((event) => {
		events.push(event);
		const decision = event.interaction.expectsDecision ? gate(event) : undefined;
		if (decision) runtime.sendDecision(event.id, decision);
	});
	const told = (hookName: string) => events.filter((event) => event.hookName === hookName);
	const ends = () => events.filter(({ hookName }) => hookName === 'Stop' || hookName === 'StopFailure');
	const find = (what: string, fact: () => RuntimeEvent | undefined) =>
		waitFor(fact, { deadlineMs: 30_000, what, everyMs: 2, seen: () => events.map(({ hookName }) => hookName) });
	runtime.start();
	return {
		runtime,
		connection,
		events,
		told,
		payloads: (hookName) => told(hookName).map(({ payload }) => payload),
		until: (hookName, count = 1) => find(hookName, () => told(hookName)[count - 1]),
		async ask(text) {
			const before = ends().length;
			await connection.followUp(toPrompt(text));
			return await find(`the end of "${text}"`, () => ends()[before]);
		},
	};
}
