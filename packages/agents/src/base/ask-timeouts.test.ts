// How long the real agents wait for an answer: as long as Roost sets, measured with a clock that the test moves.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DrivenAgent } from '@roost/core/runtime/connection';
import { type Block, message, say } from '@roost/testkit/fakes/model-reply';
import type { Script } from '@roost/testkit/fakes/script';
import { agentProgram } from '@roost/testkit/rigs/agents/agent-programs';
import { claudeWords, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { codexWords, openCodexRig } from '@roost/testkit/rigs/agents/codex-rig';
import { copilotWords, openCopilotRig } from '@roost/testkit/rigs/agents/copilot-rig';
import { ALLOW, listenTo, NO_OPINION } from '@roost/testkit/rigs/agents/driven-story';
import { openPiRig, piWords } from '@roost/testkit/rigs/agents/pi-rig';
import { createManualTimers, type ManualTimers } from '@roost/testkit/rigs/manual-timers';
import { cannotRun, claude } from '@roost/testkit/rigs/requirements';
import { describe, expect, it } from 'vitest';
import { toHookSeconds, toProgramMs } from './ask-timeouts.ts';

const HOUR = 3_600_000;

type Opened = AsyncDisposable & { driven: DrivenAgent; project: string };

const AGENTS = {
	claude: async (timers: ManualTimers): Promise<Opened> => {
		const rig = await openClaudeRig({ script: once(claudeWords.shell('touch made')), deps: { timers } });
		return { ...rig, driven: rig.open() };
	},
	codex: async (timers: ManualTimers): Promise<Opened> => {
		const rig = await openCodexRig({ script: once(codexWords.shell('touch made')) });
		return { ...rig, driven: rig.open({}, { timers }) };
	},
	copilot: async (timers: ManualTimers): Promise<Opened> => {
		const rig = await openCopilotRig({ script: once(copilotWords.shell('touch made')), deps: { timers } });
		return { ...rig, driven: rig.open() };
	},
	pi: async (timers: ManualTimers): Promise<Opened> => {
		const rig = await openPiRig({ script: once(piWords.shell('touch made')), deps: { timers } });
		return { ...rig, driven: rig.open() };
	},
};

describe.each(Object.entries(AGENTS))('a driven %s', (_name, open) => {
	it.skipIf(cannotRun([claude(), ...(['codex', 'copilot', 'pi'] as const).map((agent) => agentProgram(agent))]))(
		'waits up to an hour for a decision when held, then follows it',
		async () => {
			const timers = createManualTimers();
			await using world = await open(timers);
			const { runtime } = world.driven;
			const story = listenTo(world.driven, ({ id, hookName }) => {
				if (hookName === 'PermissionRequest') runtime.hold(id, HOUR);
				return hookName === 'PermissionRequest' ? undefined : NO_OPINION;
			});
			const turn = story.ask('go');
			const { id } = await story.until('PermissionRequest');
			timers.advance(HOUR - 1);
			expect(existsSync(join(world.project, 'made'))).toBe(false);
			runtime.sendDecision(id, ALLOW);
			await turn;
			expect(existsSync(join(world.project, 'made'))).toBe(true);
		},
	);
});

it('sets a longer timeout for the hook program than for Roost, and the longest for the agent', () => {
	for (const askMs of [1, 500, 1_800_000]) {
		expect(toProgramMs(askMs)).toBeGreaterThan(askMs);
		expect(toHookSeconds(askMs) * 1000).toBeGreaterThan(toProgramMs(askMs));
	}
});

function once(call: Block): Script {
	return ({ toolResults }) => message([toolResults.length > 0 ? say('done') : call]);
}
