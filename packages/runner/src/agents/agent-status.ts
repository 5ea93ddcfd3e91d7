// The current status of a session's agent: from its status file, its hooks, or its screen.
import type { StatusEvidence, StatusSource } from '@roost/agents/base/status-source';
import { findKind } from '@roost/agents/kinds';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { Timers } from '@roost/machine/timers';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { OpenIn } from '../driven/other-writer.ts';
import type { Engine } from '../engine/engine.ts';
import type { LiveSession } from '../engine/live-session.ts';
import type { TerminalScreen, Terminals } from '../terminals/terminals.ts';

export type ReadAgentStatus = (session: SessionRow) => Promise<AgentStatus | undefined>;

/** Undefined if the session has ended, or the agent does not report its status. */
export function createAgentStatus(deps: {
	env: NodeJS.ProcessEnv;
	agents: RunnerConfig['agents'];
	reports: Pick<HookReports, 'last'>;
	terminals: Pick<Terminals, 'screenOf'>;
	now: () => number;
}): ReadAgentStatus {
	const { env, agents, reports, terminals, now } = deps;

	async function findFile(agent: string, source: StatusSource, nativeIds: readonly string[]): Promise<StatusEvidence | null> {
		for (const folder of statusFolders(agent, source, env, agents)) {
			const found = await source.findFile(folder, nativeIds);
			if (found) return found;
		}
		return null;
	}

	return async (session) => {
		const source = findKind(session.agent)?.status;
		if (!source || session.status === 'ended') return undefined;
		const nativeIds = session.nativeIds.map(({ id }) => id);
		const file = await findFile(session.agent, source, nativeIds);
		// It may have been resumed elsewhere: only its file shows that.
		if (session.status === 'interrupted' && !file) return undefined;
		const terminal = terminals.screenOf(session.id);
		const at = now();
		const hooks = sinceOpened(reports.last(session.id), terminal);
		return source.weigh({ file, hooks, screen: toScreenEvidence(source, terminal, at) }, at);
	};
}

/** With the configured environment for agents that Roost starts, and with the user's own. */
function statusFolders(
	agent: string,
	source: StatusSource,
	env: NodeJS.ProcessEnv,
	agents: RunnerConfig['agents'],
): readonly string[] {
	return [...new Set([source.folder({ ...env, ...agents[agent]?.env }), source.folder(env)])];
}

/** Earlier reports are from another process. */
function sinceOpened(report: StatusEvidence | null, terminal: TerminalScreen | null): StatusEvidence | null {
	return report && terminal && report.at < terminal.openedAt ? null : report;
}

function toScreenEvidence(source: StatusSource, terminal: TerminalScreen | null, at: number): StatusEvidence | null {
	if (!terminal) return null;
	const { status, waitingFor } = source.readScreen(terminal.lines);
	return status === 'unknown' ? null : { status, waitingFor, at };
}

/** The processes that have a conversation open, if the kind of agent reports that. */
export function createOpenIn({ env, agents }: { env: NodeJS.ProcessEnv; agents: RunnerConfig['agents'] }): OpenIn {
	return async (agent, nativeId) => {
		const source = findKind(agent)?.status;
		if (!source) return [];
		const folders = statusFolders(agent, source, env, agents);
		return (await Promise.all(folders.map((folder) => source.findOpen(folder, nativeId)))).flat();
	};
}

type HookReports = {
	received(id: SessionId, event: RuntimeEvent, runtime: Runtime): void;
	/** Null if its hooks reported nothing, or its agent is gone. */
	last(id: SessionId): StatusEvidence | null;
};

type Reported = {
	runtime: Runtime;
	status: StatusEvidence | null;
	/** While it waits for a decision of Roost, by request. */
	pending: Map<string, StatusEvidence>;
	unsubscribe: () => void;
};

export function createHookReports({ now }: { now: () => number }): HookReports {
	const bySession = new Map<SessionId, Reported>();

	function reportedBy(id: SessionId, runtime: Runtime): Reported {
		const known = bySession.get(id);
		if (known?.runtime === runtime) return known;
		known?.unsubscribe();
		forgetGone();
		const reported: Reported = {
			...{ runtime, status: null, pending: new Map() },
			unsubscribe: runtime.onDecision((request, decision) => noteDecision(reported, request, decision)),
		};
		bySession.set(id, reported);
		return reported;
	}

	function forgetGone(): void {
		for (const [id, { runtime, unsubscribe }] of bySession) {
			if (runtime.getStatus() === 'running') continue;
			unsubscribe();
			bySession.delete(id);
		}
	}

	/** After a decision the agent continues; without an opinion of Roost it asks in its own dialog. */
	function noteDecision(reported: Reported, request: string, { verdict }: RuntimeDecision): void {
		if (!reported.pending.delete(request) || verdict.type === 'none') return;
		if (reported.status?.status === 'waiting') reported.status = { status: 'busy', at: now() };
	}

	return {
		received(id, event, runtime) {
			const source = findKind(runtime.capabilities.agent)?.status;
			if (!source) return;
			const reported = reportedBy(id, runtime);
			reported.status = source.foldReport(reported.status, event);
			if (event.interaction.expectsDecision) reported.pending.set(event.id, source.whileAsked(event));
		},
		last(id) {
			const reported = bySession.get(id);
			if (reported?.runtime.getStatus() !== 'running') return null;
			return [...reported.pending.values()].at(-1) ?? reported.status;
		},
	};
}

export type StatusWatch = AsyncDisposable & {
	/** Watches the agent from its first report until it is idle or gone. */
	received(id: SessionId, event: RuntimeEvent, runtime: Runtime): void;
};

const EVERY_MS = 1_000;
/** Its status file and its hooks report the same change at slightly different times. */
const SETTLED_MS = 2_000;

export function createStatusWatch(deps: {
	session: Engine['session'];
	statusOf: ReadAgentStatus;
	timers: Timers;
	now: () => number;
}): StatusWatch {
	const watched = new Map<SessionId, Runtime>();
	let cancel: (() => void) | undefined;
	let checking = Promise.resolve();
	let isOver = false;

	function schedule(): void {
		if (isOver || cancel || watched.size === 0) return;
		cancel = deps.timers.after(EVERY_MS, () => {
			checking = checkAll();
		});
	}

	async function checkAll(): Promise<void> {
		await Promise.all([...watched].map(([id, runtime]) => check(id, runtime)));
		cancel = undefined;
		schedule();
	}

	async function check(id: SessionId, runtime: Runtime): Promise<void> {
		const session = deps.session(id);
		const row = session.ok ? session.value.row() : undefined;
		if (!session.ok || !row || !isActive(row) || runtime.getStatus() !== 'running') return void watched.delete(id);
		const status = await deps.statusOf(row);
		if (status?.source === 'file') correct(session.value, status, deps.now());
	}

	return {
		received(id, _event, runtime) {
			if (!findKind(runtime.capabilities.agent)?.status) return;
			watched.set(id, runtime);
			schedule();
		},
		async [Symbol.asyncDispose]() {
			isOver = true;
			cancel?.();
			await checking;
		},
	};
}

function correct(session: LiveSession, status: AgentStatus, at: number): void {
	switch (toCorrection(session.row(), status, at)) {
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

/** Null if the record is right, or the agent may be about to report. */
export function toCorrection(row: SessionRow, actual: AgentStatus, now: number): Correction | null {
	if (!isActive(row) || now - Math.max(row.lastEventAt, actual.asOf) < SETTLED_MS) return null;
	if (actual.status === 'idle') return 'interrupted';
	// In enforce mode a pending call is not a dialog of the agent.
	if (row.gate === 'enforce') return null;
	if (actual.status === 'waiting' && row.status === 'working') return 'dialog-opened';
	return actual.status === 'busy' && row.status === 'waiting' && actual.asOf > row.lastEventAt ? 'dialog-closed' : null;
}

function isActive({ status, drive }: SessionRow): boolean {
	return (status === 'working' || status === 'waiting') && drive?.mode !== 'sdk';
}
