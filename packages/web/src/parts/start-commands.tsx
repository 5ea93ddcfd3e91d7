// Before the first session: the commands that start one.
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { Command } from './command.tsx';
import styles from './parts.module.css';

export function StartCommands() {
	const { api } = useConnected();
	const agents = useRead('agents', api.agents.list);
	const installed = agents.value?.find(({ observed, program }) => observed !== null && program?.path);
	return (
		<div className={styles.start}>
			<p>No sessions yet. Start one in a terminal:</p>
			{installed ? <Command>{`roost ${installed.id}`}</Command> : null}
			<Command>roost run "explain this repository"</Command>
		</div>
	);
}
