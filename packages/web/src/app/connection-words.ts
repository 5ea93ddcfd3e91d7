// The state of the connection in a few words.
import type { StreamStatus } from '@roost/client/connection';

export function connectionWords({ state, reason }: StreamStatus): string {
	switch (state) {
		case 'live':
			return 'Live';
		case 'connecting':
			return reason === undefined ? 'Connecting…' : 'The runner does not answer. Start it with "roost up".';
		case 'reconnecting':
			return 'Reconnecting… Answers are sent when the runner is back.';
		case 'incompatible':
			return reason ?? 'This page does not fit the runner. Reload it.';
	}
}
