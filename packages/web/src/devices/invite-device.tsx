// A link that adds another device or a runner of this user to the hub.
import type { Reply } from '@roost/client/api-call';
import { useState } from 'react';
import { clockWords } from '../data/away.ts';
import { useHubApi } from '../data/use-hub-api.ts';
import { useWorld } from '../data/use-world.ts';
import { Button } from '../parts/button.tsx';
import { Command } from '../parts/command.tsx';
import { Part } from '../parts/page.tsx';

type Issued = { path: string; expiresAt: number };

export function InviteDevice() {
	const hub = useHubApi();
	const { now } = useWorld();
	const [issued, setIssued] = useState<Reply<Issued>>();
	const link = issued?.ok ? `${location.origin}${issued.value.path}` : undefined;
	return (
		<Part
			title="Add a device or a runner"
			note="A link for another browser of yours, or for a machine with agents. It works once."
		>
			{link === undefined || !issued?.ok ? (
				<p>
					<Button onClick={() => void hub.invite({}).then(setIssued)}>Create a link</Button>
				</p>
			) : (
				<>
					<p>Open it in the other browser until {clockWords(issued.value.expiresAt, now)}:</p>
					<p>
						<Command>{link}</Command>
					</p>
					<p>Or run this on a machine to pair its runner:</p>
					<p>
						<Command>{`roost join '${link}'`}</Command>
					</p>
				</>
			)}
			{issued && !issued.ok ? <p role="alert">{issued.error.message}</p> : null}
		</Part>
	);
}
