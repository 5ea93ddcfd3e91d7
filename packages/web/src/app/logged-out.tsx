// This browser is not logged in: why, and which command prints a link for it.
import { useEffect, useState } from 'react';
import { readServer, rememberedKind } from '../device/server-kind.ts';
import { Command } from '../parts/command.tsx';
import styles from './app.module.css';

/** `why`: empty if nothing special happened. */
export function LoggedOut({ why }: { why: string }) {
	const kind = useServerKind(why === '');
	if (kind === undefined) return null;
	return (
		<main className={styles.out} data-state="logged-out">
			<h1>Roost</h1>
			{kind === 'hub' ? <OfHub why={why} /> : <OfRunner why={why} />}
		</main>
	);
}

function OfRunner({ why }: { why: string }) {
	return (
		<>
			<p role="alert">{why || 'You are not logged in.'}</p>
			<p>Run this in a terminal, and open the link that it prints:</p>
			<Command>roost status --link</Command>
		</>
	);
}

function OfHub({ why }: { why: string }) {
	return (
		<>
			<p role="alert">{why || 'This browser is not paired with this hub.'}</p>
			<p>
				Open a link of <code>roost hub invite</code> in this browser. It works once, within 10 minutes. On the machine of the hub,
				this prints one:
			</p>
			<Command>roost hub invite</Command>
			<p>
				The same kind of link pairs a machine with its runner: run <code>roost join '&lt;link&gt;'</code> there instead of opening
				it.
			</p>
		</>
	);
}

/** `isUnsure`: another server may be at this address than the one that this browser knows. */
function useServerKind(isUnsure: boolean) {
	const [kind, setKind] = useState(rememberedKind);
	useEffect(() => {
		if (!isUnsure && rememberedKind() !== undefined) return;
		void readServer().then((served) => setKind(served?.kind ?? rememberedKind() ?? 'runner'));
	}, [isUnsure]);
	return kind;
}
