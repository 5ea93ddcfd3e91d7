// Keeps the record of an agent in a terminal true where no hook tells: after Esc, and while its own dialog alone asks.
import { findKind } from '@roost/agents/kinds';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { Timers } from '@roost/machine/timers';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { LiveSession } from '../engine/live-session.ts';
import type { ReadAgentStatus } from './agent-status.ts';

export type StatusWatch = AsyncDisposable & {
	/** What an agent reports; it is watched from then on, until it is idle or gone. */
	heard(id: SessionId, event: RuntimeEvent, runtime: Runtime): void;
};

const EVERY_MS = 1_000;
/** Its status file and its hooks tell of the same thing a moment apart. */
const SETTLED_MS = 2_000;

export function createStatusWatch(deps: {
	session: Engine['session'];
	statusOf: ReadAgentStatus;
	timers: Timers;
	now: () => number;
}): StatusWatch {
	const watched = new Map<SessionId, Runtime>();
	let cancel: (() => void) | undefined;
	let looking = Promise.resolve();
	let isOver = false;

	function schedule(): void {
		if (isOver || cancel || watched.size === 0) return;
		cancel = deps.timers.after(EVERY_MS, () => {
			looking = lookAtAll();
		});
	}

	async function lookAtAll(): Promise<void> {
		await Promise.all([...watched].map(([id, runtime]) => look(id, runtime)));
		cancel = undefined;
		schedule();
	}

	async function look(id: SessionId, runtime: Runtime): Promise<void> {
		const session = deps.session(id);
		const row = session.ok ? session.value.row() : undefined;
		if (!session.ok || !row || !isActive(row) || runtime.getStatus() !== 'running') return void watched.delete(id);
		const said = await deps.statusOf(row);
		if (said?.source === 'file') correct(session.value, said, deps.now());
	}

	return {
		heard(id, _event, runtime) {
			if (!findKind(runtime.capabilities.agent)?.status) return;
			watched.set(id, runtime);
			schedule();
		},
		async [Symbol.asyncDispose]() {
			isOver = true;
			cancel?.();
			await looking;
		},
	};
}

function correct(session: LiveSession, said: AgentStatus, at: number): void {
	const row = session.row();
	switch (toCorrection(row, said, at)) {
		case 'interrupted':
			if (!session.awaitsTasks()) session.post({ type: 'interrupted', reason: 'interrupted in its own terminal', at });
			break;
		case 'dialog-opened':
			session.post({ type: 'dialog', isOpen: true, message: 'A dialog is open in the terminal of the agent', at });
			break;
		case 'dialog-closed':
			session.post({ type: 'dialog', isOpen: false, message: 'The dialog in the terminal of the agent was answered', at });
			break;
	}
}

type Correction = 'interrupted' | 'dialog-opened' | 'dialog-closed';

/** Null where the record says the same, or where the agent may just be about to tell. */
export function toCorrection(row: SessionRow, said: AgentStatus, now: number): Correction | null {
	if (!isActive(row) || now - Math.max(row.lastEventAt, said.asOf) < SETTLED_MS) return null;
	if (said.status === 'idle') return 'interrupted';
	// Where Roost is the gate, a call that waits is no dialog of the agent's.
	if (row.gate === 'enforce') return null;
	if (said.status === 'waiting' && row.status === 'working') return 'dialog-opened';
	return said.status === 'busy' && row.status === 'waiting' && said.asOf > row.lastEventAt ? 'dialog-closed' : null;
}

function isActive({ status, drive }: SessionRow): boolean {
	return (status === 'working' || status === 'waiting') && drive?.mode !== 'sdk';
}
