// What can be done with a session: rename, fork, resume, change model or mode, export, archive, end.
import type { SessionTile } from '@roost/protocol/session-row';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSource, useWorld } from '../data/use-world.ts';
import type { ActionName } from '../keys/actions.ts';
import { useAction } from '../keys/use-action.ts';
import { Dialog } from '../parts/dialog.tsx';
import styles from './session.module.css';

type Open = 'rename' | 'settings' | 'end' | null;

export function SessionMenu({ row }: { row: SessionTile }) {
	const source = useSource();
	const [, go] = useLocation();
	const [open, setOpen] = useState<Open>(null);
	const menu = useRef<HTMLDivElement>(null);
	const id = useId();
	useEffect(() => source.onSession((started) => go(`/s/${started}`)), [source, go]);
	const isOver = row.status === 'ended' || row.status === 'interrupted';
	const entries: readonly Entry[] = [
		{ action: 'rename', words: 'Rename…', perform: () => setOpen('rename') },
		{
			action: 'resume',
			words: 'Resume',
			perform: () => void source.perform({ type: 'resume-session', id: row.id }),
			isOn: isOver,
		},
		{ action: 'fork', words: 'Fork', perform: () => void source.perform({ type: 'fork-session', id: row.id }) },
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
			{open === 'end' ? <End row={row} onClose={() => setOpen(null)} /> : null}
		</>
	);
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

function End({ row, onClose }: DialogProps) {
	const source = useSource();
	return (
		<Dialog title="End this session?" onClose={onClose}>
			<p>Its agent exits, and the current run is interrupted. You can resume the session later.</p>
			<div className={styles.tools}>
				<button type="button" onClick={onClose}>
					Cancel
				</button>
				<button
					type="button"
					className={styles.danger}
					onClick={() => {
						void source.perform({ type: 'end-session', id: row.id });
						onClose();
					}}
				>
					End session
				</button>
			</div>
		</Dialog>
	);
}
