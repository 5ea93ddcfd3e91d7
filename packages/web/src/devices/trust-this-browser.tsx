// The key of this browser, and the command that lets a runner accept what it signs.
import type { Device } from '@roost/protocol/api/devices';
import { Command } from '../parts/command.tsx';
import { Part } from '../parts/page.tsx';

export function TrustThisBrowser({ device }: { device: Device | undefined }) {
	if (device === undefined) return null;
	return (
		<Part
			title="Approve from this browser"
			note="A runner runs an approval or a prompt only if a device that it trusts has signed it. Denying needs no key. Run this on the machine of each runner:"
		>
			<p>
				<Command>{toCommand(device)}</Command>
			</p>
			<p>
				Public key: <code>{device.publicKey}</code>
			</p>
			<p>
				A hub could use the key of a page, because the hub serves the page. Keys of programs are stronger: "roost --hub" on your
				own machine.
			</p>
		</Part>
	);
}

function toCommand({ id, publicKey, name, user = '' }: Device): string {
	return `roost devices trust ${id} --key=${publicKey} --name ${quoted(name)} --user ${quoted(user)} --page`;
}

/** For a shell. */
function quoted(text: string): string {
	return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
