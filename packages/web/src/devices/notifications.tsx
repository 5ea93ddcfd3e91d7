// Notifications of this browser: what is possible here, on and off, and a test.
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { areNotificationsOn, type Support, supportOf, thisBrowser, turnOff, turnOn } from '../device/notifications.ts';
import { Button } from '../parts/button.tsx';
import { Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';

export function Notifications() {
	const support = supportOf(thisBrowser());
	return (
		<Part title="Notifications" note="In this browser, when a request is pending and Roost is not on screen.">
			{support === 'ready' ? <Switch /> : <p data-state={support}>{WHY_NOT[support]}</p>}
		</Part>
	);
}

const WHY_NOT: Readonly<Record<Exclude<Support, 'ready'>, string>> = {
	insecure: 'Not available at an address without https. Serve Roost with an https proxy and set web.origins in config.yaml.',
	'home-screen': 'Add Roost to the Home Screen first (Share, then "Add to Home Screen"), and open it from there.',
	unsupported: 'This browser has no notifications.',
	blocked: 'This browser blocks notifications of Roost. Allow them in its settings for this site, then reload.',
};

function Switch() {
	const { api, worker } = useConnected();
	const key = useRead('push-key', () => api.push.key());
	const [isBusy, setBusy] = useState(false);
	const [said, setSaid] = useState<string>();
	if (key.value === undefined) return <NotRead {...key} />;
	const isOn = areNotificationsOn();
	const reach = key.value.subscribed ? 'On, also while Roost is closed.' : 'On while Roost is open in a tab.';

	async function change(perform: () => Promise<string | undefined>): Promise<void> {
		setBusy(true);
		setSaid(await perform());
		setBusy(false);
		key.again();
	}

	async function test(): Promise<string> {
		const reply = await api.push.test();
		return reply.ok ? 'Sent. It should appear within seconds.' : reply.error.message;
	}

	return (
		<>
			<p data-state={isOn ? 'on' : 'off'}>
				{isOn ? reach : 'Off. The push service sees that requests are pending, but not their content.'}
			</p>
			<p>
				{isOn ? (
					<Button disabled={isBusy} onClick={() => void change(() => turnOff(api.push, worker))}>
						Turn off
					</Button>
				) : (
					<Button disabled={isBusy} onClick={() => void change(() => turnOn(api.push, worker))}>
						Turn on
					</Button>
				)}{' '}
				{isOn && key.value.subscribed ? (
					<Button disabled={isBusy} onClick={() => void change(test)}>
						Send a test
					</Button>
				) : null}
			</p>
			<p role="status">{said}</p>
		</>
	);
}
