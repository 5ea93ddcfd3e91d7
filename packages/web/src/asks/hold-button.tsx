// A button that has to be held for a moment; with the keyboard it has to be pressed twice.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './asks.module.css';

const HOLD_MS = 600;

type HoldButtonProps = { className: string | undefined; isDisabled: boolean; onHeld: () => void; children: ReactNode };

export function HoldButton({ className, isDisabled, onHeld, children }: HoldButtonProps) {
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const [state, setState] = useState<'idle' | 'held' | 'confirm'>('idle');

	useEffect(() => () => clearTimeout(timer.current), []);

	function press(): void {
		setState('held');
		timer.current = setTimeout(onHeld, HOLD_MS);
	}

	function release(): void {
		clearTimeout(timer.current);
		setState((before) => (before === 'held' ? 'idle' : before));
	}

	return (
		<button
			type="button"
			className={`${className} ${styles.hold}`}
			data-hold={state}
			disabled={isDisabled}
			onPointerDown={press}
			onPointerUp={release}
			onPointerLeave={release}
			onPointerCancel={release}
			onKeyDown={(event) => {
				if (event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
				event.preventDefault();
				if (state === 'confirm') onHeld();
				else setState('confirm');
			}}
			onBlur={() => setState('idle')}
		>
			{state === 'confirm' ? 'Press again to allow' : children}
		</button>
	);
}
