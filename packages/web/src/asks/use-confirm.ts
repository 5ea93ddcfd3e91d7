// The keyboard at high risk: the first press asks to press again, the second one counts.
import { useState } from 'react';

export type Confirm = { readonly isAsked: boolean; press(): void; cancel(): void };

export function useConfirm(isNeeded: boolean, onConfirmed: () => void): Confirm {
	const [isAsked, setAsked] = useState(false);
	return {
		isAsked,
		press() {
			if (isNeeded && !isAsked) return setAsked(true);
			setAsked(false);
			onConfirmed();
		},
		cancel: () => setAsked(false),
	};
}
