// The state of the connection: a word beside the name of the page, and a bar while it is lost. No other content moves for the bar.
import type { StreamStatus } from '@roost/client/connection';
import { age } from '@roost/core/display/age';
import type { Offline } from '../data/offline.ts';
import { useWorld } from '../data/use-world.ts';
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
	const { connection, offline, isRead, now } = useWorld();
	const words = offline ? offlineWords(offline, isRead, now) : barWords(connection);
	return words === undefined ? null : (
		<p className={styles.bar} data-state={offline ? 'offline' : connection.state}>
			{words}
		</p>
	);
}

function offlineWords({ seenAt }: Offline, isRead: boolean, now: number): string {
	if (seenAt === null)
		return 'The runner cannot be reached from here. Check that it runs ("roost up") and that you are on its network.';
	const shown = isRead ? 'answers are off' : 'this browser keeps no requests or sessions';
	return `Offline. The runner was last reached ${age(seenAt, now)} ago; ${shown}.`;
}

function barWords({ state, since, reason }: StreamStatus): string | undefined {
	switch (state) {
		case 'live':
			return undefined;
		case 'connecting':
			return reason === undefined ? undefined : 'The runner does not answer. Start it with "roost up".';
		case 'reconnecting':
			return `No connection since ${new Date(performance.timeOrigin + since).toLocaleTimeString()}. Answers and prompts are queued.`;
		case 'incompatible':
			return reason ?? 'This page does not fit the runner. Reload it.';
	}
}
