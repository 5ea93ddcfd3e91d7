// Allows a call: with a tap, and at high risk only if it is held, or pressed twice with the keyboard.
import type { Risk } from '@roost/protocol/ask';
import { useAction } from '../keys/use-action.ts';
import styles from './asks.module.css';
import type { Guard } from './guard.ts';
import { GuardedButton } from './guarded-button.tsx';
import { HoldButton } from './hold-button.tsx';
import { useConfirm } from './use-confirm.ts';

type AllowButtonProps = {
	risk: Risk;
	guard: Guard;
	/** The answer itself is not complete yet. */
	isIncomplete?: boolean;
	/** Its key works: the card is the one that keys are for. */
	hasKey?: boolean;
	onAllow: () => void;
	children: string;
};

export function AllowButton({ risk, guard, isIncomplete = false, hasKey = false, onAllow, children }: AllowButtonProps) {
	const isOff = !guard.isReady || guard.isUnread || isIncomplete;
	const confirm = useConfirm(risk === 'high', onAllow);
	useAction('allow', confirm.press, hasKey && !isOff);
	useAction('back', confirm.cancel, confirm.isAsked);
	if (risk === 'high')
		return (
			<HoldButton className={styles.allow} isOff={isOff} confirm={confirm} onHeld={onAllow}>
				{guard.isUnread ? 'Scroll to the end to allow' : 'Hold to allow'}
			</HoldButton>
		);
	return (
		<GuardedButton className={styles.allow} isOff={isOff} onPress={onAllow}>
			{children}
		</GuardedButton>
	);
}
