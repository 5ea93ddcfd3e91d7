// After a decision: the next request that waits.
import { useWorld } from '../data/use-world.ts';
import { useAskAddress } from './ask-address.ts';
import styles from './asks.module.css';

export function NextRequest() {
	const { asks, answered } = useWorld();
	const { open } = useAskAddress();
	const waiting = asks.filter(({ id }) => !answered.has(id));
	const [next] = waiting;
	if (!next) return null;
	return (
		<div className={styles.next}>
			<button type="button" onClick={() => open(next.id, true)}>
				Next request ({waiting.length} pending)
			</button>
		</div>
	);
}
