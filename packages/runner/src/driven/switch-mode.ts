// Moves a session between Roost's own hands and a terminal: one conversation, one writer at a time.
import type { TerminalRow } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Drive, SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { Project } from '../record/projects.ts';
import type { LiveAgents } from './live-agents.ts';
import type { EndedTerminal, TerminalMode } from './terminal-mode.ts';

export type ModeSwitch = Disposable & {
	/** A session that begins in a terminal. */
	begin(session: Beginning): Promise<Result<void>>;
	/** How it is driven from now on is a fact. */
	note(id: SessionId, drive: Drive): Promise<Result<void>>;
	toTerminal(row: SessionRow, drive: Drive, recording?: boolean): Promise<Result<void>>;
	/** What runs in its terminal is ended; whoever prompts it next finds it in Roost's hands. */
	leaveTerminal(id: SessionId): Promise<void>;
	/** Why it takes no prompts; undefined where it is in no terminal. */
	whyNot(id: SessionId): string | undefined;
};

type Beginning = { id: SessionId; agent: string; project: Project; drive: Drive; recording?: boolean | undefined };

export function createModeSwitch(deps: {
	engine: Engine;
	agents: LiveAgents;
	terminal: TerminalMode;
	now: () => number;
	warn: (sentence: string) => void;
}): ModeSwitch {
	const { engine, agents, terminal, now } = deps;

	async function note(id: SessionId, drive: Drive): Promise<Result<void>> {
		const session = engine.session(id);
		return session.ok
			? await session.value.submit({ type: 'noted', fact: { kind: 'session.drive', data: drive }, at: now() })
			: session;
	}

	const starts = watchTerminalStarts({ engine, terminal, onFailed: takeBack });

	/** Nothing runs there, so the session is Roost's again: whoever prompts it finds it so. */
	async function takeBack(id: SessionId, why: string): Promise<void> {
		const session = engine.session(id);
		if (!session.ok) return deps.warn(session.error.message);
		const { agent, drive } = session.value.row();
		const message = `${agent} ${why}. The session is back in the hands of Roost: prompt it there, or try a terminal again.`;
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
		async begin({ id, agent, project, drive, recording }) {
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
		async toTerminal(row, before, recording) {
			const { id, agent } = row;
			const open = terminal.find(id);
			if (open) return recording && open.recording === null ? err(isUnrecorded(open)) : ok(undefined);
			const refusal = terminal.refuse(agent);
			if (refusal !== null) return err(new AppError('conflict', refusal));
			if (agents.get(id)?.isBusy()) return err(new AppError('conflict', 'The agent is running. Interrupt it first.'));
			const nativeId = row.nativeIds.at(-1)?.id;
			if (nativeId === undefined) return err(new AppError('conflict', 'This session has no messages yet. Send a prompt first.'));
			await agents.letGo(id);
			const drive = { ...before, mode: 'pty' as const };
			const noted = await note(id, drive);
			if (!noted.ok) return noted;
			const opened = await openTerminal({ id, agent, drive, nativeId, isNew: false, recording });
			if (!opened.ok) await note(id, before);
			return opened;
		},
		note,
		async leaveTerminal(id) {
			starts.forget(id);
			await terminal.close(id);
		},
		whyNot(id) {
			const row = terminal.find(id);
			return row && `This session is in a terminal: write to its agent there, with "roost attach ${id}".`;
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

type TerminalStarts = Disposable & {
	/** From now on its agent is awaited there. */
	expect(id: SessionId): void;
	/** Nobody waits for it any more. */
	forget(id: SessionId): void;
};

const MOST_LINES = 3;
const LONGEST_WORDS = 400;

export function watchTerminalStarts(deps: {
	engine: Pick<Engine, 'onUpdate'>;
	terminal: Pick<TerminalMode, 'onEnd'>;
	/** Told why it did not begin. */
	onFailed: (id: SessionId, why: string) => Promise<void>;
}): TerminalStarts {
	const awaited = new Set<SessionId>();
	const offUpdate = deps.engine.onUpdate(({ sessionId, events }) => {
		if (awaited.has(sessionId) && events.some(({ kind }) => kind === 'session.start')) awaited.delete(sessionId);
	});
	const offEnd = deps.terminal.onEnd((ended) => {
		if (awaited.delete(ended.session)) void fail(ended);
	});

	async function fail({ session, exitCode, readScreen }: EndedTerminal): Promise<void> {
		const how = exitCode === null ? '' : ` with exit code ${exitCode}`;
		await deps.onFailed(session, `ended in its terminal before it began${how}${toLastWords(await readScreen())}`);
	}

	return {
		expect: (id) => void awaited.add(id),
		forget: (id) => void awaited.delete(id),
		[Symbol.dispose]() {
			offUpdate();
			offEnd();
		},
	};
}

/** What stands last on the screen is what a program says when it gives up. */
function toLastWords(screen: readonly string[]): string {
	const lines = screen.map((line) => line.trim()).filter((line) => line !== '');
	const words = lines.slice(-MOST_LINES).join(' ');
	if (words === '') return ', without a word';
	return `, saying: ${words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words}`;
}
