// After a link of a hub was opened: whose device this browser is now. Without a link, what such a link is for.

import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Device } from '@roost/protocol/api/devices';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useEntrance } from '../data/use-fleet.tsx';
import { useOwnDevice } from '../data/use-own-device.ts';
import { Button } from '../parts/button.tsx';
import styles from './hub.module.css';

export function Joined() {
	const { api, isNew } = useEntrance();
	const [devices, setDevices] = useState<readonly Device[]>();
	const [problem, setProblem] = useState<string>();
	useEffect(() => {
		void api.devices.list().then((listed) => (listed.ok ? setDevices(listed.value) : setProblem(listed.error.message)));
	}, [api]);
	// Read again when the device is registered.
	const own = useOwnDevice(devices);
	const device = devices?.find(({ id }) => id === own);
	if (problem !== undefined)
		return (
			<main className={styles.alone}>
				<h1>Roost</h1>
				<p role="alert">{problem}</p>
			</main>
		);
	if (!device) return null;
	return (
		<main className={styles.alone} data-state="joined">
			<h1>{isNew ? 'This browser is paired' : 'This browser is paired already'}</h1>
			<p>
				It is a device of <strong>{sanitiseLine(device.user ?? '')}</strong> on {location.host}, named “
				{sanitiseLine(device.name)}”.
			</p>
			<Button look="primary" onClick={() => navigate('/')}>
				Open Roost
			</Button>
			<p className={styles.dim}>
				{isNew ? 'The link is used up. ' : ''}To pair a machine with its runner, make a new one with <code>roost hub invite</code>
				, and run <code>roost join '&lt;link&gt;'</code> there.
			</p>
		</main>
	);
}
