// A hub without a runner that this user may see, or an address of one that is not there.
import { useEntrance, useFleet } from '../data/use-fleet.tsx';
import { Button } from '../parts/button.tsx';
import { Command } from '../parts/command.tsx';
import styles from './hub.module.css';

export function NoRunner() {
	const { logOut } = useEntrance();
	const { runners = [] } = useFleet();
	if (runners.length > 0)
		return (
			<main className={styles.alone} data-state="no-runner">
				<h1>Runner not found</h1>
				<p>The runner of this address is not paired with this hub any more, or you have no role on it.</p>
				<p>
					<a href="/">Go to your runners</a>
				</p>
			</main>
		);
	return (
		<main className={styles.alone} data-state="no-runner">
			<h1>No runners yet</h1>
			<p>Make a link on the machine of the hub:</p>
			<Command>roost hub invite</Command>
			<p>
				Then run <code>roost join '&lt;link&gt;'</code> on a machine whose agents you want to see here. A link works once.
			</p>
			<p className={styles.dim}>This page shows a runner as soon as it is paired.</p>
			<Button onClick={() => void logOut()}>Log out</Button>
		</main>
	);
}
