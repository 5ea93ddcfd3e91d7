// Allows a call: with a tap, and at high risk only if it is held.
import type { Risk } from '@roost/protocol/ask';
import styles from './asks.module.css';
import { HoldButton } from './hold-button.tsx';

type AllowButtonProps = { risk: Risk; isDisabled: boolean; onAllow: () => void; children: string };

export function AllowButton({ risk, isDisabled, onAllow, children }: AllowButtonProps) {
	if (risk === 'high')
		return (
			<HoldButton className={styles.allow} isDisabled={isDisabled} onHeld={onAllow}>
				Hold to allow
			</HoldButton>
		);
	return (
		<button type="button" className={styles.allow} disabled={isDisabled} onClick={onAllow}>
			{children}
		</button>
	);
}
