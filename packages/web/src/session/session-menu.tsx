// What can be done with a session: rename, fork, resume, move into a terminal, change model or mode, archive, end.
import type { Reply } from '@roost/client/api-call';
import type { SessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import type { DriveMode, SessionTile } from '@roost/protocol/session-row';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useSource, useWorld } from '../data/use-world.ts';
import type { ActionName } from '../keys/actions.ts';
import { useAction, useKeyBoard } from '../keys/use-action.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import styles from './session.module.css';

type Open = 'rename' | 'settings' | 'take-back' | 'end' | null;

export function SessionMenu({ row }: { row: SessionTile }) {
	const source = useSource();
	const board = useKeyBoard();
	const [path, go] = useLocation();
	const [open, setOpen] = useState<Open>(null);
	const menu = useRef<HTMLDivElement>(null);
	const id = useId();
	useEffect(() => source.onSession((started) => go(`/s/${started}`)), [source, go]);
	const isOver = row.status === 'ended' || row.status === 'interrupted';
	const isInTerminal = row.drive?.mode === 'pty';
	const move = useMove(row.id);
	const entries: readonly Entry[] = [
		// Without a keyboard, the search has no other way in.
		{ words: 'Search this feed', perform: () => void board.perform('find'), isOn: path === `/s/${row.id}` },
		{ action: 'rename', words: 'Rename…', perform: () => setOpen('rename') },
		{
			action: 'resume',
			words: 'Resume',
			perform: () => void source.perform({ type: 'resume-session', id: row.id }),
			isOn: isOver,
		},
		{ action: 'fork', words: 'Fork', perform: () => void source.perform({ type: 'fork-session', id: row.id }) },
		{
			action: 'intoTerminal',
			words: 'Move into a terminal',
			perform: () => void move('pty').then((moved) => (moved.ok ? undefined : source.report(moved.error.message))),
			isOn: row.driven === true && !isOver && !isInTerminal,
		},
		{ action: 'takeBack', words: 'Take back from its terminal…', perform: () => setOpen('take-back'), isOn: isInTerminal },
		{ words: 'Model and mode…', perform: () => setOpen('settings'), isOn: row.driven === true && !isOver },
		{
			action: 'archive',
			words: row.archived ? 'Restore' : 'Archive',
			perform: () => void source.perform({ type: 'archive-session', id: row.id, archived: !row.archived }),
		},
		{ action: 'endSession', words: 'End…', perform: () => setOpen('end'), isOn: row.driven === true && !isOver },
	];
	return (
		<>
			<button type="button" popoverTarget={id} aria-label="More actions" className={styles.dots}>
				⋯
			</button>
			<div id={id} ref={menu} popover="auto" className={styles.menu}>
				{entries
					.filter(({ isOn = true }) => isOn)
					.map(({ action, words, perform }) => (
						<MenuEntry
							key={words}
							action={action}
							words={words}
							perform={() => {
								menu.current?.hidePopover();
								perform();
							}}
						/>
					))}
			</div>
			{open === 'rename' ? <Rename row={row} onClose={() => setOpen(null)} /> : null}
			{open === 'settings' ? <Settings row={row} onClose={() => setOpen(null)} /> : null}
			{open === 'take-back' ? <TakeBack onMove={() => move('sdk')} onClose={() => setOpen(null)} /> : null}
			{open === 'end' ? <End row={row} onClose={() => setOpen(null)} /> : null}
		</>
	);
}

/** Into a terminal or back, and shows it there. */
function useMove(id: SessionId): (mode: DriveMode) => Promise<Reply<unknown>> {
	const source = useSource();
	const { api } = useConnected();
	const [, go] = useLocation();
	return async (mode) => {
		const moved = await api.settings.switchMode({ commandId: crypto.randomUUID(), id, mode });
		if (!moved.ok) return moved;
		source.watchDriving(id);
		go(mode === 'pty' ? `/s/${id}/terminal` : `/s/${id}`);
		return moved;
	};
}

type Entry = { readonly action?: ActionName; readonly words: string; perform(): void; readonly isOn?: boolean };

function MenuEntry({ action, words, perform }: Entry) {
	return (
		<>
			{action ? <MenuAction action={action} perform={perform} /> : null}
			<button type="button" onClick={perform}>
				{words}
			</button>
		</>
	);
}

function MenuAction({ action, perform }: { action: ActionName; perform: () => void }) {
	useAction(action, perform);
	return null;
}

type DialogProps = { row: SessionTile; onClose: () => void };

function Rename({ row, onClose }: DialogProps) {
	const source = useSource();
	const [title, setTitle] = useState(row.title);
	return (
		<Dialog title="Rename session" onClose={onClose}>
			<form
				className={styles.form}
				onSubmit={(event) => {
					event.preventDefault();
					void source.perform({ type: 'rename-session', id: row.id, title });
					onClose();
				}}
			>
				<input type="text" aria-label="Title" maxLength={200} value={title} onChange={({ target }) => setTitle(target.value)} />
				<button type="submit" disabled={title.trim() === ''}>
					Rename
				</button>
			</form>
		</Dialog>
	);
}

/** Agents accept other modes too; these are common to the agents that have modes. */
const MODES = ['default', 'acceptEdits', 'plan'] as const;

function Settings({ row, onClose }: DialogProps) {
	const source = useSource();
	const { models } = useWorld();
	const [model, setModel] = useState(row.drive?.model ?? row.model ?? '');
	const [permissionMode, setMode] = useState(row.drive?.permission_mode ?? 'default');
	const listId = useId();
	return (
		<Dialog title="Model and mode" onClose={onClose}>
			<form
				className={styles.form}
				onSubmit={(event) => {
					event.preventDefault();
					void source.perform({ type: 'adjust-session', id: row.id, permissionMode, ...(model ? { model } : {}) });
					onClose();
				}}
			>
				<label>
					Model
					<input type="text" list={listId} value={model} onChange={({ target }) => setModel(target.value)} />
				</label>
				<datalist id={listId}>
					{models.map((name) => (
						<option key={name} value={name} />
					))}
				</datalist>
				<label>
					Permission mode
					<select value={permissionMode} onChange={({ target }) => setMode(target.value)}>
						{[...new Set([...MODES, permissionMode])].map((mode) => (
							<option key={mode}>{mode}</option>
						))}
					</select>
				</label>
				<button type="submit">Save</button>
			</form>
		</Dialog>
	);
}

function TakeBack({ onMove, onClose }: { onMove: () => Promise<Reply<unknown>>; onClose: () => void }) {
	return (
		<ConfirmDialog title="Take this session back?" action="Take back" onConfirm={onMove} onClose={onClose}>
			The program in its terminal exits. The conversation continues here.
		</ConfirmDialog>
	);
}

function End({ row, onClose }: DialogProps) {
	const source = useSource();

	/** A failure is shown above the page. */
	async function end() {
		await source.perform({ type: 'end-session', id: row.id });
		return ok(undefined);
	}

	return (
		<ConfirmDialog title="End this session?" action="End session" onConfirm={end} onClose={onClose}>
			Its agent exits, and the current run is interrupted. You can resume the session later.
		</ConfirmDialog>
	);
}
