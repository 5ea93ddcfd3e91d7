// What a runner drives agents with: wiring only.

import type { PromptsTold } from '@roost/gateway/operations/backend';
import { newSessionId, newShortId } from '@roost/home/short-id';
import { createInTurn } from '@roost/machine/in-turn';
import { ancestorsOf } from '@roost/machine/process-table';
import { promptId, type SessionId } from '@roost/protocol/ids';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import type { Projects } from '../projects.ts';
import { createShelf } from '../shelf.ts';
import { type CourseDesk, createCourseDesk } from './course-desk.ts';
import { createDrivenDesk, type DrivenDesk } from './driven-desk.ts';
import { createLiveAgents } from './live-agents.ts';
import type { DrivableAgents } from './may-drive.ts';
import { createOrphans } from './orphans.ts';
import { createRefuseOtherWriter, type OpenIn } from './other-writer.ts';
import { createPromptDesk, type PromptDesk } from './prompt-desk.ts';
import { recoverDriven } from './recover-driven.ts';
import type { FindPast } from './resume-past.ts';
import { createModeSwitch } from './switch-mode.ts';
import { createTakingUp } from './taking-up.ts';
import type { TerminalMode } from './terminal-mode.ts';

export type Driving = { driving: DrivenDesk; course: CourseDesk; prompts: PromptDesk };

/** Resolves when what an earlier runner left is taken up. */
export async function startDriving(deps: {
	engine: Engine;
	store: Store;
	drivable: DrivableAgents;
	defaultAgent: string;
	whyNotHere?: ((agent: string) => Promise<string | null>) | undefined;
	runDir: string;
	/** Whether an agent that was started through Roost, in a terminal, reports from that conversation. */
	reports: (nativeId: string) => boolean;
	/** The processes that have a conversation open, whoever started them. */
	openIn: OpenIn;
	/** Where sessions can be moved to. */
	terminal: TerminalMode;
	findPast: FindPast;
	projects: Projects;
	now: () => number;
	warn: (sentence: string) => void;
	/** Told what waits for a session's agent whenever that changes. */
	tell: (told: PromptsTold) => void;
}): Promise<Driving> {
	// Whoever listens is not there before this resolves, and then asks for all that waits.
	let isUp = false;
	const onChange = (told: PromptsTold) => void (isUp && deps.tell(told));
	const prompts = createPromptDesk({ ...deps, newId: () => promptId.parse(newShortId()), onChange });
	const orphans = createOrphans(deps.runDir, deps.warn);
	await recoverDriven({ ...deps, prompts, orphans });
	isUp = true;
	const ownPids = (id: SessionId) => ({ driven: orphans.pidsOf(id), inTerminal: deps.terminal.pidOf(id) });
	const refuseOtherWriter = createRefuseOtherWriter({ ...deps, ownPids, ancestorsOf });
	const agents = createLiveAgents({ ...deps, prompts, orphans, refuseOtherWriter });
	const modes = createModeSwitch({ ...deps, agents });
	const takingUp = createTakingUp({ ...deps, agents, modes, refuseOtherWriter });
	const parts = { ...deps, agents, modes, takingUp, inTurn: createInTurn<SessionId>(), newSessionId };
	const { rename } = createShelf(deps);
	return {
		prompts,
		driving: createDrivenDesk({ ...parts, prompts, refuseOtherWriter, rename }),
		course: createCourseDesk(parts),
	};
}
