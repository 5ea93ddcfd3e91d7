// The parts of driving. Wiring only.
import type { PromptsUpdate } from '@roost/gateway/operations/backend';
import { newSessionId, newShortId } from '@roost/home/short-id';
import { createInTurn } from '@roost/machine/in-turn';
import { ancestorsOf } from '@roost/machine/process-table';
import { promptId, type SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { LiveSession } from '../engine/live-session.ts';
import { createSessionLabels } from '../engine/session-labels.ts';
import type { Projects } from '../record/projects.ts';
import { createDrivenSessions, type DrivenSessions } from './driven-sessions.ts';
import { createLiveAgents } from './live-agents.ts';
import type { DrivingBase } from './may-drive.ts';
import { createOrphans, type Orphans } from './orphans.ts';
import { createRefuseOtherWriter, type OpenIn } from './other-writer.ts';
import { createPromptQueues, type PromptQueues, settleSent } from './prompt-queues.ts';
import { createResuming, type FindPast } from './resuming.ts';
import { createModeSwitch, createSessionControls, type SessionControls } from './session-controls.ts';
import type { TerminalMode } from './terminal-mode.ts';

type Driving = { driving: DrivenSessions; controls: SessionControls; prompts: PromptQueues };

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

type Deps = DrivingBase & {
	prompts: PromptQueues;
	orphans: Orphans;
	/** Whether its agent reports from a terminal, which may outlive a runner. */
	reports: (nativeId: string) => boolean;
};

const CUT = 'the runner ended while its agent worked';

/** Sends nothing: a session continues with the next prompt or resume, starting with its queue. */
async function recoverDriven(deps: Deps): Promise<void> {
	await deps.orphans.endAll();
	const left = deps.store.sessions({ unfinished: true });
	if (!left.ok) return deps.warn(left.error.message);
	for (const row of left.value.filter((one) => one.driven && !isInTerminal(one, deps))) {
		const recovered = await recoverSession(row, deps);
		if (!recovered.ok) deps.warn(`session ${row.id} cannot be recovered: ${recovered.error.message}`);
	}
}

/** Its agent is not a child of the runner and still runs. */
function isInTerminal({ drive, nativeIds }: SessionRow, { reports }: Pick<Deps, 'reports'>): boolean {
	const nativeId = nativeIds.at(-1)?.id;
	return drive?.mode === 'pty' && nativeId !== undefined && reports(nativeId);
}

async function recoverSession(row: SessionRow, deps: Deps): Promise<Result<void>> {
	const found = deps.engine.session(row.id);
	if (!found.ok) return found;
	const session = found.value;
	session.cancelAbandoned();
	if (row.status === 'working' || row.status === 'waiting') {
		const cut = await session.submit({ type: 'cut', reason: CUT, at: deps.now() });
		if (!cut.ok) return cut;
	}
	await settleSent(session, { ...deps, agent: deps.drivable.get(row.agent) });
	await cancelRedacted(row.id, session, deps.prompts);
	deps.prompts.recall(row.id);
	return ok(undefined);
}

/** Secrets are not recorded, so these prompts cannot be sent. */
async function cancelRedacted(id: SessionId, session: LiveSession, prompts: PromptQueues): Promise<void> {
	for (const prompt of session.prompts().waiting) {
		if (!prompt.text.includes('[redacted:')) continue;
		await prompts.cancel(id, prompt.id, 'it contained a secret, which Roost does not store: send it again');
	}
}
