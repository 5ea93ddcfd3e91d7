// The parts of driving. Wiring only.
import type { PromptsUpdate } from '@roost/gateway/operations/backend';
import { newSessionId, newShortId } from '@roost/home/short-id';
import { createInTurn } from '@roost/machine/in-turn';
import { ancestorsOf } from '@roost/machine/process-table';
import { promptId, type SessionId } from '@roost/protocol/ids';
import { createSessionLabels } from '../engine/session-labels.ts';
import type { Projects } from '../record/projects.ts';
import { createDrivenSessions, type DrivenSessions } from './driven-sessions.ts';
import { createLiveAgents } from './live-agents.ts';
import type { DrivingBase } from './may-drive.ts';
import { createOrphans } from './orphans.ts';
import { createRefuseOtherWriter, type OpenIn } from './other-writer.ts';
import { createPromptQueues, type PromptQueues } from './prompt-queues.ts';
import { recoverDriven } from './recover-driven.ts';
import { createResuming, type FindPast } from './resuming.ts';
import { createSessionControls, type SessionControls } from './session-controls.ts';
import { createModeSwitch } from './switch-mode.ts';
import type { TerminalMode } from './terminal-mode.ts';

export type Driving = { driving: DrivenSessions; controls: SessionControls; prompts: PromptQueues };

/** Resolves when the sessions of an earlier runner are recovered. */
export async function startDriving(
	deps: DrivingBase & {
		defaultAgent: string;
		whyNotHere?: ((agent: string) => Promise<string | null>) | undefined;
		runDir: string;
		/** Whether an agent that Roost launched in a terminal reports from that conversation. */
		reports: (nativeId: string) => boolean;
		openIn: OpenIn;
		terminal: TerminalMode;
		findPast: FindPast;
		projects: Projects;
		onQueueChange: (update: PromptsUpdate) => void;
	},
): Promise<Driving> {
	// Clients connect later and then read all queues.
	let isUp = false;
	const onChange = (update: PromptsUpdate) => void (isUp && deps.onQueueChange(update));
	const prompts = createPromptQueues({ ...deps, newId: () => promptId.parse(newShortId()), onChange });
	const orphans = createOrphans(deps.runDir, deps.warn);
	await recoverDriven({ ...deps, prompts, orphans });
	isUp = true;
	const ownPids = (id: SessionId) => ({ driven: orphans.pidsOf(id), inTerminal: deps.terminal.pidOf(id) });
	const refuseOtherWriter = createRefuseOtherWriter({ ...deps, ownPids, ancestorsOf });
	const agents = createLiveAgents({ ...deps, prompts, orphans, refuseOtherWriter });
	const modes = createModeSwitch({ ...deps, agents });
	const resuming = createResuming({ ...deps, agents, modes, refuseOtherWriter });
	const parts = { ...deps, agents, modes, resuming, inTurn: createInTurn<SessionId>(), newSessionId };
	const { rename } = createSessionLabels(deps);
	return {
		prompts,
		driving: createDrivenSessions({ ...parts, prompts, refuseOtherWriter, rename }),
		controls: createSessionControls(parts),
	};
}
