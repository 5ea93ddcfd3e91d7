// Which of the devices is this browser.
import { useEffect, useState } from 'react';
import { readDevice } from '../device/keys.ts';

/** Read again when `changed` is another value. */
export function useOwnDevice(changed?: unknown): string | undefined {
	const [id, setId] = useState<string>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: not read here, but a reason to read again.
	useEffect(() => {
		void readDevice().then((own) => setId(own?.id));
	}, [changed]);
	return id;
}
