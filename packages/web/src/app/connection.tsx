// The state of the connection: a word beside the name of the page, and a bar while it is lost. No other content moves for the bar.
import type { StreamStatus } from '@roost/client/connection';
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { awayWords } from '../data/away.ts';
import type { Offline } from '../data/offline.ts';
import { useFleet } from '../data/use-fleet.tsx';
import { useWorld } from '../data/use-world.ts';
import type { ServerKind } from '../device/server-kind.ts';
import styles from './app.module.css';

export function Connection() {
	const { connection, offline } = useWorld();
	return (
		<p className={styles.connection} role="status" data-state={connection.state}>
			{offline ? 'Offline' : WORDS[connection.state]}
		</p>
	);
}

const WORDS: Readonly<Record<StreamStatus['state'], string>> = {
	live: 'Live',
	connecting: 'Connecting…',
	reconnecting: 'Reconnecting…',
	incompatible: 'Incompatible',
};

export function ConnectionBar() {
	const { connection, offline, away, isRead, now } = useWorld();
	const server = useFleet().kind ?? 'runner';
	const words = offline
		? offlineWords(server, offline, isRead, now)
		: (barWords(server, connection) ??
			(away ? `${sanitiseLine(away.runner)} is ${awayWords(away, now)}. ${ON_RECORD}` : undefined));
	return words === undefined ? null : (
		<p className={styles.bar} data-state={offline ? 'offline' : connection.state}>
			{words}
		</p>
	);
}

const ON_RECORD = 'You see its record; commands are queued.';
const START: Readonly<Record<ServerKind, string>> = { runner: '"roost up"', hub: '"roost hub"' };

function offlineWords(server: ServerKind, { seenAt }: Offline, isRead: boolean, now: number): string {
	if (seenAt === null)
		return `The ${server} cannot be reached from here. Check that it runs (${START[server]}) and that you are on its network.`;
	const shown = isRead ? 'answers are off' : 'this browser keeps no requests or sessions';
	return `Offline. The ${server} was last reached ${age(seenAt, now)} ago; ${shown}.`;
}

function barWords(server: ServerKind, { state, since, reason }: StreamStatus): string | undefined {
	switch (state) {
		case 'live':
			return undefined;
		case 'connecting':
			return reason === undefined ? undefined : `The ${server} does not answer. Start it with ${START[server]}.`;
		case 'reconnecting':
			return `No connection since ${new Date(performance.timeOrigin + since).toLocaleTimeString()}. Answers and prompts are queued.`;
		case 'incompatible':
			return reason ?? `This page does not fit the ${server}. Reload it.`;
	}
}
