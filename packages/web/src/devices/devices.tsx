// The browsers that are logged in: each can be revoked, and a command adds another one.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Device } from '@roost/protocol/api/devices';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { useFleet } from '../data/use-fleet.tsx';
import { useOwnDevice } from '../data/use-own-device.ts';
import { type Read, useRead } from '../data/use-read.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Command } from '../parts/command.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Page, Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';
import { InviteDevice } from './invite-device.tsx';
import { Notifications } from './notifications.tsx';
import { TrustThisBrowser } from './trust-this-browser.tsx';

export function Devices() {
	const { api, logOut } = useConnected();
	const isOfHub = useFleet().kind === 'hub';
	const devices = useRead('devices', api.devices.list);
	const own = useOwnDevice();
	return (
		<Page title="Devices" actions={<Button onClick={() => void logOut()}>Log out</Button>}>
			<LoggedIn devices={devices} own={own} isOfHub={isOfHub} />
			{isOfHub ? <TrustThisBrowser device={devices.value?.find(({ id }) => id === own)} /> : <Notifications />}
			{isOfHub ? <InviteDevice /> : <AddDevice />}
		</Page>
	);
}

function AddDevice() {
	return (
		<Part title="Add a device" note="Run this in a terminal, and open the link that it prints within 30 seconds.">
			<p>
				<Command>roost status --link</Command>
			</p>
			<p>For a phone, show the link as a QR code:</p>
			<p>
				<Command>roost status --link --qr</Command>
			</p>
		</Part>
	);
}

type LoggedInProps = { devices: Read<Device[]>; own: string | undefined; isOfHub: boolean };

function LoggedIn({ devices, own, isOfHub }: LoggedInProps) {
	const [revoking, setRevoking] = useState<Device>();
	if (devices.value === undefined) return <NotRead {...devices} />;
	const newestFirst = devices.value.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
	return (
		<Part
			title="Logged in"
			note={
				isOfHub ? 'Browsers and command lines that reach this hub.' : 'These browsers can do everything that you can do here.'
			}
		>
			<Rows label="Devices">
				{newestFirst.map((device) => (
					<DeviceRow key={device.id} device={device} isOwn={device.id === own} onRevoke={() => setRevoking(device)} />
				))}
			</Rows>
			{revoking === undefined ? null : (
				<RevokeDialog
					device={revoking}
					isOwn={revoking.id === own}
					onRevoked={devices.again}
					onClose={() => setRevoking(undefined)}
				/>
			)}
		</Part>
	);
}

type DeviceRowProps = { device: Device; isOwn: boolean; onRevoke: () => void };

function DeviceRow({ device, isOwn, onRevoke }: DeviceRowProps) {
	const { id, name, createdAt, lastSeenAt } = device;
	return (
		<Row
			title={
				<>
					<strong>{sanitiseLine(name)}</strong> {isOwn ? <Badge tone="ok">This browser</Badge> : null}{' '}
					{device.kind === undefined || isOwn ? null : <Badge>{KINDS[device.kind]}</Badge>}
				</>
			}
			about={
				<>
					Registered <When at={createdAt} /> · last login <When at={lastSeenAt} /> · {sanitiseLine(placeOf(device))}
				</>
			}
			end={
				<Button look="quiet" data-row={id} aria-label={`Revoke ${sanitiseLine(name)}`} onClick={onRevoke}>
					Revoke
				</Button>
			}
		/>
	);
}

const KINDS = { page: 'Browser', program: 'Command line' } as const;

/** On a hub it matters whose it is; a runner has one user. */
function placeOf({ user, origin }: Device): string {
	return user === undefined ? origin : `user ${user}`;
}

type RevokeProps = { device: Device; isOwn: boolean; onRevoked: () => void; onClose: () => void };

function RevokeDialog({ device: { id, name }, isOwn, onRevoked, onClose }: RevokeProps) {
	const { api, logOut } = useConnected();

	async function revoke() {
		if (isOwn) return await logOut().then(() => DONE);
		const reply = await api.devices.revoke({ id });
		if (reply.ok) onRevoked();
		return reply;
	}

	return (
		<ConfirmDialog
			title={`Revoke ${sanitiseLine(name)}?`}
			action={isOwn ? 'Revoke and log out' : 'Revoke'}
			onConfirm={revoke}
			onClose={onClose}
		>
			{isOwn
				? 'This is the browser that you use now. You need a new link to log in again.'
				: 'It is logged out at once. It needs a new link to log in again.'}
		</ConfirmDialog>
	);
}

const DONE = { ok: true, value: undefined } as const;
