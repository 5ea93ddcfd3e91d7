// The request that the address names, over any page: pending ones can be answered, decided ones say who decided.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { ServedRunner } from '../data/fleet.ts';
import { useConnected } from '../data/use-connected.ts';
import { isOpen, RunnerScope, useFleet, useRunner } from '../data/use-fleet.tsx';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import { useAction } from '../keys/use-action.ts';
import { NotRead } from '../parts/reading.tsx';
import { useAskAddress } from './ask-address.ts';
import { AskCard } from './ask-card.tsx';
import styles from './asks.module.css';
import { NextRequest } from './next-request.tsx';
import { useAllAsks } from './use-all-asks.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useSeenSessions } from './use-seen.ts';

/** Rendered once, by the frame of all pages. */
export function AskDialog() {
	const { id, of, open, close } = useAskAddress();
	const [first] = useAllAsks();
	const runner = useRunnerOf(id, of);
	const sentence = useAnnouncement();
	useSeenSessions();
	useAction('firstAsk', () => first && open(first.ask.id, first.runner.id), first !== undefined && id === undefined);
	// Everything behind an open dialog is inert, so the region moves into it.
	const region = (
		<p className={styles.announce} aria-live="assertive">
			{sentence}
		</p>
	);
	if (id === undefined) return region;
	return (
		<Sheet key={id} onClose={close}>
			{isOpen(runner) ? (
				<RunnerScope runner={runner}>
					<Request id={id} onClose={close} />
				</RunnerScope>
			) : (
				<Missing onClose={close}>
					<p>This request is of a runner that you cannot see.</p>
				</Missing>
			)}
			{region}
		</Sheet>
	);
}

/** A notification names no runner: the request is found by its id then. */
function useRunnerOf(id: AskId | undefined, of: string | undefined): ServedRunner | undefined {
	const { runners } = useFleet();
	const placed = useAllAsks().find(({ ask }) => ask.id === id);
	const here = useRunner();
	return of === undefined ? (placed?.runner ?? here) : runners?.find((one) => one.id === of);
}

function Sheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useAction('back', onClose);
	useLayoutEffect(() => {
		const element = dialog.current;
		element?.showModal();
		// Closing gives the focus back to where it was.
		return () => element?.close();
	}, []);
	return (
		<dialog
			ref={dialog}
			className={styles.sheet}
			aria-label="Request"
			onCancel={(event) => {
				event.preventDefault();
				onClose();
			}}
		>
			{children}
		</dialog>
	);
}

function Request({ id, onClose }: { id: AskId; onClose: () => void }) {
	const { asks, decided } = useWorld();
	const { api } = useConnected();
	const read = useRead<AskDetail | null>(`ask ${id}`, async () => {
		const reply = await api.asks.show({ askId: id });
		return !reply.ok && reply.error.code === 'not_found' ? ok(null) : reply;
	});
	const ask = asks.find((one) => one.id === id) ?? decided.get(id) ?? read.value;
	if (ask) return <Shown key={ask.id} ask={ask} back={<Back onClose={onClose} />} />;
	return (
		<Missing onClose={onClose}>{ask === null ? <p>Request "{sanitiseLine(id)}" not found.</p> : <NotRead {...read} />}</Missing>
	);
}

function Missing({ onClose, children }: { onClose: () => void; children: ReactNode }) {
	return (
		<div className={styles.missing}>
			<Back onClose={onClose} />
			{children}
		</div>
	);
}

function Back({ onClose }: { onClose: () => void }) {
	return (
		<button type="button" className={styles.back} aria-label="Close" onClick={onClose}>
			←
		</button>
	);
}

type ShownProps = { ask: Parameters<typeof AskCard>[0]['ask']; back: ReactNode };

/** Apart, because it is as new as the request, not as the dialog. */
function Shown({ ask, back }: ShownProps) {
	const [since] = useState(Date.now);
	return (
		<>
			<AskCard ask={ask} since={since} place="sheet" before={back} />
			{ask.state === 'pending' ? null : <NextRequest />}
		</>
	);
}
