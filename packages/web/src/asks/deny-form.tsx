// Denies a call with a message that the agent reads, and interrupts its run on request.
import type { AskRow } from '@roost/protocol/ask';
import { useState } from 'react';
import { useSource } from '../data/use-world.ts';
import styles from './asks.module.css';
import { focusOnce } from './focus-once.ts';
import type { Guard } from './guard.ts';
import { GuardedButton } from './guarded-button.tsx';

export function DenyForm({ ask, guard, onCancel }: { ask: AskRow; guard: Guard; onCancel: () => void }) {
	const source = useSource();
	const [message, setMessage] = useState('');
	const deny = (interrupt: boolean) =>
		source.approve(ask, {
			decision: 'deny',
			...(message.trim() ? { denyMessage: message } : {}),
			...(interrupt ? { interrupt } : {}),
		});
	return (
		<div className={styles.form}>
			<textarea
				ref={focusOnce}
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
					<GuardedButton isOff={!guard.isReady} onPress={() => deny(true)}>
						Deny and interrupt
					</GuardedButton>
				</div>
				<GuardedButton className={styles.denyLast} isOff={!guard.isReady} onPress={() => deny(false)}>
					Deny
				</GuardedButton>
			</div>
		</div>
	);
}
