// Recovers the driven sessions of an earlier runner: ends their agents, closes interrupted runs, and restores queues.
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { LiveSession } from '../engine/live-session.ts';
import type { DrivingBase } from './may-drive.ts';
import type { Orphans } from './orphans.ts';
import { type PromptQueues, settleSent } from './prompt-queues.ts';

type Deps = DrivingBase & {
	prompts: PromptQueues;
	orphans: Orphans;
	/** Whether its agent reports from a terminal, which may outlive a runner. */
	reports: (nativeId: string) => boolean;
};

const CUT = 'the runner ended while its agent worked';

/** Sends nothing: a session continues with the next prompt or resume, starting with its queue. */
export async function recoverDriven(deps: Deps): Promise<void> {
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
