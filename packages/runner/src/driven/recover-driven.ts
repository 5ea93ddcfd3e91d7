// What an earlier runner left of the sessions it drove: their agents are ended, runs that were cut short are said to be, and prompts wait again.
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import type { LiveSession } from '../engine/live-session.ts';
import type { DrivableAgents } from './may-drive.ts';
import type { Orphans } from './orphans.ts';
import { type PromptQueues, settleSent } from './prompt-queues.ts';

type Deps = {
	engine: Engine;
	store: Pick<Store, 'sessions'>;
	drivable: DrivableAgents;
	prompts: PromptQueues;
	orphans: Orphans;
	/** Whether its agent reports from a terminal, which may outlive a runner. */
	reports: (nativeId: string) => boolean;
	now: () => number;
	warn: (sentence: string) => void;
};

const CUT = 'the runner ended while its agent worked';

/** Nothing is sent by itself: a session goes on when somebody prompts or resumes it, and what waited goes first. */
export async function recoverDriven(deps: Deps): Promise<void> {
	await deps.orphans.endAll();
	const left = deps.store.sessions({ unfinished: true });
	if (!left.ok) return deps.warn(left.error.message);
	for (const row of left.value.filter((one) => one.driven && !isInTerminal(one, deps))) {
		const recovered = await recoverSession(row, deps);
		if (!recovered.ok) deps.warn(`session ${row.id} cannot be taken up: ${recovered.error.message}`);
	}
}

/** Its agent was never this runner's own: it goes on, and its session with it. */
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

/** On record stands no secret, so what had one cannot be sent as it was meant. */
async function cancelRedacted(id: SessionId, session: LiveSession, prompts: PromptQueues): Promise<void> {
	for (const prompt of session.prompts().waiting) {
		if (!prompt.text.includes('[redacted:')) continue;
		await prompts.cancel(id, prompt.id, 'it held a secret, which Roost does not keep: write it again');
	}
}
