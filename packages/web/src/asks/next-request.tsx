// After a decision: the next request that waits.
import { useAskAddress } from './ask-address.ts';
import styles from './asks.module.css';
import { useAllAsks } from './use-all-asks.ts';

export function NextRequest() {
	const { open } = useAskAddress();
	const waiting = useAllAsks().filter(({ isAnswered }) => !isAnswered);
	const [next] = waiting;
	if (!next) return null;
	return (
		<div className={styles.next}>
			<button type="button" onClick={() => open(next.ask.id, next.runner.id, true)}>
				Next request ({waiting.length} pending)
			</button>
		</div>
	);
}
