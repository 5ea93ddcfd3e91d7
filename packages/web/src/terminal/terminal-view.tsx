// One terminal: its name and state, its screen, and the keys that a phone lacks.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { TerminalId } from '@roost/protocol/ids';
import { type ReactNode, useRef } from 'react';
import { useWorld } from '../data/use-world.ts';
import { CloseTerminal } from './close-terminal.tsx';
import { KeyBar } from './key-bar.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { ReaderSwitch } from './reader-switch.tsx';
import { shownWords } from './shown-words.ts';
import styles from './terminal.module.css';
import { useTerminal } from './use-terminal.ts';
import { useVisibleHeight } from './use-visible-height.ts';

/** `back`: the link to where the user came from, where nothing around it has one. */
export function TerminalView({ id, back }: { id: TerminalId; back?: ReactNode }) {
	const page = useRef<HTMLDivElement>(null);
	const head = useRef<HTMLDivElement>(null);
	const terminal = useTerminal(id, () => head.current?.querySelector<HTMLElement>('a, button')?.focus());
	const { now } = useWorld();
	useVisibleHeight(page);
	const { shown } = terminal;
	const words = shownWords(shown, now);
	const isYours = shown.state === 'live' && shown.holder === 'you';
	return (
		<div ref={page} className={styles.page} data-terminal={id} data-state={shown.state} data-holder={shown.holder}>
			<div ref={head} className={styles.head}>
				{back}
				<h1 className={styles.name}>{sanitiseLine(shown.row?.title ?? id)}</h1>
				<p className={styles.folder}>{sanitiseLine(shown.row?.cwd ?? '')}</p>
				<div className={styles.bar} role="status" data-bar={words === '' ? 'empty' : shown.state}>
					{words === '' ? null : <p>{sanitiseLine(words)}</p>}
					{shown.state === 'live' && !isYours ? (
						<button type="button" onClick={terminal.take}>
							Take control
						</button>
					) : null}
				</div>
				<button type="button" popoverTarget="terminal-menu" aria-label="Terminal menu">
					⋯
				</button>
				<div id="terminal-menu" popover="auto" className={styles.menu}>
					<ReaderSwitch onChange={terminal.setReader} />
					{shown.row && shown.state !== 'ended' ? <CloseTerminal row={shown.row} /> : null}
				</div>
			</div>
			<section ref={terminal.place} className={styles.screen} aria-label="Terminal screen" />
			<p className={styles.hint}>Shift+Esc moves the focus out of the terminal.</p>
			<KeyBar isOn={isYours} {...terminal.keyBar} />
			{terminal.link === undefined ? null : <LinkDialog address={terminal.link} onClose={terminal.closeLink} />}
		</div>
	);
}
