// The screen-reader mode of terminals: off by default, because it makes heavy output slow. Kept for this browser.
import { useEffect, useState } from 'react';

const KEPT = 'terminal-reader';

/** `onChange` is also called with the kept choice. */
export function ReaderSwitch({ onChange }: { onChange(isOn: boolean): void }) {
	const [isOn, setOn] = useState(() => localStorage.getItem(KEPT) === 'on');
	useEffect(() => {
		localStorage.setItem(KEPT, isOn ? 'on' : 'off');
		onChange(isOn);
	}, [isOn, onChange]);
	return (
		<button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
			{isOn ? '✓ ' : ''}Screen reader mode
		</button>
	);
}
