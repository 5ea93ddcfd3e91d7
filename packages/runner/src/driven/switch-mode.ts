// Moves a session between Roost's own hands and a terminal: one conversation, one writer at a time.
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { Project } from '../project.ts';
import type { LiveAgents } from './live-agents.ts';
import { newNativeId, type TerminalMode } from './terminal-mode.ts';

export type ModeSwitch = {
	/** A session that begins in a terminal. */
	begin(session: { id: SessionId; agent: string; project: Project; drive: Drive }): Promise<Result<void>>;
	/** How it is driven from now on is a fact. */
	note(id: SessionId, drive: Drive): Promise<Result<void>>;
	toTerminal(row: SessionRow, drive: Drive): Promise<Result<void>>;
	/** What runs in its terminal is ended; whoever prompts it next finds it in Roost's hands. */
	leaveTerminal(id: SessionId): Promise<void>;
	/** Why it takes no prompts; undefined where it is in no terminal. */
	whyNot(id: SessionId): string | undefined;
};

export function createModeSwitch(deps: {
	engine: Engine;
	agents: LiveAgents;
	terminal: TerminalMode;
	now: () => number;
}): ModeSwitch {
	const { engine, agents, terminal, now } = deps;

	async function note(id: SessionId, drive: Drive): Promise<Result<void>> {
		const session = engine.session(id);
		return session.ok
			? await session.value.carry({ type: 'noted', fact: { kind: 'session.drive', data: drive }, at: now() })
			: session;
	}

	return {
		async begin({ id, agent, project, drive }) {
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			const begun = engine.begin({ id, agent, project });
			if (!begun.ok) return begun;
			const nativeId = newNativeId();
			const data = { agent, native_id: nativeId, reason: 'startup' as const };
			begun.value.post({ type: 'noted', fact: { kind: 'session.native', data }, at: now() });
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			const opened = await terminal.open({ id, drive, nativeId, isNew: true });
			return opened.ok ? ok(undefined) : opened;
		},
		async toTerminal(row, before) {
			const { id, agent } = row;
			if (terminal.find(id)) return ok(undefined);
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			if (agents.get(id)?.isBusy()) return err(new AppError('conflict', 'Its agent works right now: interrupt it first.'));
			const nativeId = row.nativeIds.at(-1)?.id;
			if (nativeId === undefined) return err(new AppError('conflict', 'Nothing was said in this session yet: prompt it first.'));
			await agents.letGo(id);
			const drive = { ...before, mode: 'pty' as const };
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			const opened = await terminal.open({ id, drive, nativeId, isNew: false });
			if (!opened.ok) await note(id, before);
			return opened.ok ? ok(undefined) : opened;
		},
		note,
		leaveTerminal: terminal.close,
		whyNot(id) {
			const row = terminal.find(id);
			return row && `This session is in a terminal: write to its agent there, with "roost attach ${id}".`;
		},
	};
}
