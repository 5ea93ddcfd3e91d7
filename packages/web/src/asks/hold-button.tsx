// A button that has to be held for a moment; with the keyboard it has to be pressed twice.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './hold.module.css';
import type { Confirm } from './use-confirm.ts';

const HOLD_MS = 600;

type HoldButtonProps = {
	className: string | undefined;
	isOff: boolean;
	confirm: Confirm;
	onHeld: () => void;
	children: ReactNode;
};

export function HoldButton({ className, isOff, confirm, onHeld, children }: HoldButtonProps) {
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const [state, setState] = useState<'idle' | 'held' | 'done'>('idle');

	useEffect(() => () => clearTimeout(timer.current), []);

	function press(): void {
		if (isOff) return;
		setState('held');
		timer.current = setTimeout(() => {
			setState('done');
			onHeld();
		}, HOLD_MS);
	}

	function release(): void {
		clearTimeout(timer.current);
		setState('idle');
	}

	return (
		<button
			type="button"
			className={`${className} ${styles.hold}`}
			data-hold={confirm.isAsked ? 'confirm' : state}
			aria-disabled={isOff}
			onPointerDown={press}
			onPointerUp={release}
			onPointerLeave={release}
			onPointerCancel={release}
			onContextMenu={(event) => event.preventDefault()}
			onKeyDown={(event) => {
				if (event.key !== 'Enter' && event.key !== ' ') return;
				event.preventDefault();
				if (!event.repeat && !isOff) confirm.press();
			}}
			onBlur={confirm.cancel}
		>
			{confirm.isAsked ? 'Press again to allow' : state === 'done' ? 'Sent' : children}
		</button>
	);
}
