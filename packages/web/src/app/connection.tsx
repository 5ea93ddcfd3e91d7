// The state of the connection: a word beside the name of the page, and a bar with what to do while it is lost.
import type { StreamStatus } from '@roost/client/connection';
import { useWorld } from '../data/use-world.ts';
import styles from './app.module.css';

export function Connection() {
	const { connection } = useWorld();
	return (
		<p className={styles.connection} role="status" data-state={connection.state}>
			{WORDS[connection.state]}
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
	const { connection } = useWorld();
	const words = barWords(connection);
	return words === undefined ? null : (
		<p className={styles.bar} data-state={connection.state}>
			{words}
		</p>
	);
}

function barWords({ state, since, reason }: StreamStatus): string | undefined {
	switch (state) {
		case 'live':
			return undefined;
		case 'connecting':
			return reason === undefined ? undefined : 'The runner does not answer. Start it with "roost up".';
		case 'reconnecting':
			return `No connection since ${new Date(performance.timeOrigin + since).toLocaleTimeString()}. Answers and prompts are sent when the runner is back.`;
		case 'incompatible':
			return reason ?? 'This page does not fit the runner. Reload it.';
	}
}
