// Which of the devices is this browser.
import { useEffect, useState } from 'react';
import { readDevice } from '../device/keys.ts';

export function useOwnDevice(): string | undefined {
	const [id, setId] = useState<string>();
	useEffect(() => {
		void readDevice().then((own) => setId(own?.id));
	}, []);
	return id;
}
