// Denies a call with a message that the agent reads, and interrupts its run on request.
import type { AskRow } from '@roost/protocol/ask';
import { useState } from 'react';
import { useSource } from '../data/use-world.ts';
import styles from './asks.module.css';

export function DenyForm({ ask, onCancel }: { ask: AskRow; onCancel: () => void }) {
	const source = useSource();
	const [message, setMessage] = useState('');
	const deny = (interrupt: boolean) =>
		source.approve(ask, {
			decision: 'deny',
			...(message.trim() ? { denyMessage: message } : {}),
			...(interrupt ? { interrupt } : {}),
		});
	return (
		<div className={styles.bar}>
			<textarea
				className={styles.text}
				aria-label="Message for the agent"
				placeholder="Tell the agent why, or what to do instead"
				value={message}
				onChange={({ target }) => setMessage(target.value)}
			/>
			<div className={styles.buttons}>
				<button type="button" onClick={onCancel}>
					Cancel
				</button>
				<div className={styles.more}>
					<button type="button" onClick={() => deny(true)}>
						Deny and interrupt
					</button>
				</div>
				<button type="button" className={styles.denyLast} onClick={() => deny(false)}>
					Deny
				</button>
			</div>
		</div>
	);
}
