// The answers to a permission request: deny, deny with a message, allow once. At high risk, allow has to be held.
import type { AskRow } from '@roost/protocol/ask';
import { useState } from 'react';
import { useSource, useWorld } from '../data/use-world.ts';
import styles from './asks.module.css';
import { HoldButton } from './hold-button.tsx';
import { useReady } from './use-ready.ts';

export function AnswerBar({ ask, since }: { ask: AskRow; since: number }) {
	const source = useSource();
	const { answered } = useWorld();
	const isReady = useReady(since);
	const [message, setMessage] = useState<string | null>(null);
	if (answered.has(ask.id)) return <p className={styles.sent}>Answer sent.</p>;
	const deny = (interrupt: boolean) =>
		source.approve(ask, { decision: 'deny', ...(message ? { denyMessage: message } : {}), ...(interrupt ? { interrupt } : {}) });
	const allow = () => source.approve(ask, { decision: 'allow' });
	return (
		<div className={styles.bar}>
			{message === null ? null : (
				<textarea
					className={styles.message}
					aria-label="Message for the agent"
					placeholder="Tell the agent why, or what to do instead"
					value={message}
					onChange={({ target }) => setMessage(target.value)}
				/>
			)}
			<div className={styles.buttons}>
				<button type="button" className={styles.deny} disabled={!isReady} onClick={() => deny(false)}>
					Deny
				</button>
				{message === null ? (
					<button type="button" onClick={() => setMessage('')}>
						Deny with message…
					</button>
				) : (
					<button type="button" disabled={!isReady} onClick={() => deny(true)}>
						Deny and interrupt
					</button>
				)}
				{ask.risk === 'high' ? (
					<HoldButton className={styles.allow} isDisabled={!isReady} onHeld={allow}>
						Hold to allow
					</HoldButton>
				) : (
					<button type="button" className={styles.allow} disabled={!isReady} onClick={allow}>
						Allow once
					</button>
				)}
			</div>
		</div>
	);
}
