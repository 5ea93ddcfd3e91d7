// Moves a session between Roost and a terminal: one conversation, one writer at a time.
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { Project } from '../record/projects.ts';
import type { LiveAgents } from './live-agents.ts';
import type { DrivingBase } from './may-drive.ts';
import type { EndedTerminal, TerminalMode } from './terminal-mode.ts';

export type ModeSwitch = ReturnType<typeof createModeSwitch>;

type NewSession = { id: SessionId; agent: string; project: Project; drive: Drive; recording?: boolean | undefined };

export function createModeSwitch(
	deps: Pick<DrivingBase, 'engine' | 'now' | 'warn'> & { agents: LiveAgents; terminal: TerminalMode },
) {
	const { engine, agents, terminal, now } = deps;

	async function note(id: SessionId, drive: Drive): Promise<Result<void>> {
		const session = engine.session(id);
		return session.ok
			? await session.value.submit({ type: 'noted', fact: { kind: 'session.drive', data: drive }, at: now() })
			: session;
	}

	const starts = watchTerminalStarts({ engine, terminal, onFailed: takeBack });

	/** The start in the terminal failed, so Roost drives the session again. */
	async function takeBack(id: SessionId, why: string): Promise<void> {
		const session = engine.session(id);
		if (!session.ok) return deps.warn(session.error.message);
		const { agent, drive } = session.value.row();
		const message = `${agent} ${why}. Roost drives the session again: prompt it, or retry the terminal.`;
		session.value.post({ type: 'noted', fact: { kind: 'runtime.error', data: { code: 'cannot_start', message } }, at: now() });
		const noted = drive ? await note(id, { ...drive, mode: 'sdk' }) : ok(undefined);
		if (!noted.ok) deps.warn(`session ${id} could not be taken back from its terminal: ${noted.error.message}`);
	}

	async function openTerminal(session: Parameters<TerminalMode['open']>[0]): Promise<Result<void>> {
		starts.expect(session.id);
		const opened = await terminal.open(session);
		if (opened.ok) return ok(undefined);
		starts.forget(session.id);
		return opened;
	}

	return {
		/** Starts a session in a terminal. */
		async begin({ id, agent, project, drive, recording }: NewSession): Promise<Result<void>> {
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			const begun = engine.begin({ id, agent, project });
			if (!begun.ok) return begun;
			const nativeId = terminal.newNativeId(agent);
			const data = { agent, native_id: nativeId, reason: 'startup' as const };
			begun.value.post({ type: 'noted', fact: { kind: 'session.native', data }, at: now() });
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			return await openTerminal({ id, agent, drive, nativeId, isNew: true, recording });
		},
		async toTerminal(row: SessionRow, before: Drive, recording?: boolean): Promise<Result<void>> {
			const { id, agent } = row;
			const open = terminal.find(id);
			if (open) return recording && open.recording === null ? err(isUnrecorded(open)) : ok(undefined);
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			if (agents.get(id)?.isBusy()) return err(new AppError('conflict', 'The agent is running. Interrupt it first.'));
			const nativeId = row.nativeIds.at(-1)?.id;
			if (nativeId === undefined) return err(new AppError('conflict', 'This session has no messages yet. Send a prompt first.'));
			await agents.end(id);
			const drive = { ...before, mode: 'pty' as const };
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			const opened = await openTerminal({ id, agent, drive, nativeId, isNew: false, recording });
			if (!opened.ok) await note(id, before);
			return opened;
		},
		note,
		/** Ends the program in its terminal. */
		async leaveTerminal(id: SessionId): Promise<void> {
			starts.forget(id);
			await terminal.close(id);
		},
		/** Why it takes no prompts; undefined if it is not in a terminal. */
		whyNot(id: SessionId): string | undefined {
			const row = terminal.find(id);
			return row && `This session runs in a terminal. Attach with "roost attach ${id}" to write to its agent.`;
		},
		[Symbol.dispose]: () => starts[Symbol.dispose](),
	};
}

function isUnrecorded({ id }: TerminalRow): AppError {
	return new AppError(
		'conflict',
		`The session runs in terminal ${id} without a recording. Move it to mode sdk first, then back.`,
	);
}

const MOST_LINES = 3;
const LONGEST_TEXT = 400;

/** Sessions that are starting in a terminal, until their agents report. An exit before that is a failure. */
export function watchTerminalStarts(deps: {
	engine: Pick<Engine, 'onUpdate'>;
	terminal: Pick<TerminalMode, 'onEnd'>;
	onFailed: (id: SessionId, why: string) => Promise<void>;
}) {
	const awaited = new Set<SessionId>();
	const offUpdate = deps.engine.onUpdate(({ sessionId, events }) => {
		if (awaited.has(sessionId) && events.some(({ kind }) => kind === 'session.start')) awaited.delete(sessionId);
	});
	const offEnd = deps.terminal.onEnd((ended) => {
		if (awaited.delete(ended.session)) void fail(ended);
	});

	async function fail({ session, exitCode, readScreen }: EndedTerminal): Promise<void> {
		const how = exitCode === null ? '' : ` with exit code ${exitCode}`;
		await deps.onFailed(session, `exited in its terminal before it started${how}${toLastLines(await readScreen())}`);
	}

	return {
		expect: (id: SessionId) => void awaited.add(id),
		forget: (id: SessionId) => void awaited.delete(id),
		[Symbol.dispose]() {
			offUpdate();
			offEnd();
		},
	};
}

/** The last lines of the screen are usually the error. */
function toLastLines(screen: readonly string[]): string {
	const lines = screen.map((line) => line.trim()).filter((line) => line !== '');
	const text = lines.slice(-MOST_LINES).join(' ');
	if (text === '') return ', without output';
	return `, with the output: ${text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text}`;
}
