// A terminal of a real runner behind a real hub, opened there as the command line opens it.
import { connectThroughHub } from '@roost/cli/hub/connect-hub';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import type { TerminalId } from '@roost/protocol/ids';
import type { RunnerProcess, RunnerRig } from '../runner/runner-rig.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

/** Opens sockets to terminals of a runner through the hub, as the machine of `face`. */
export async function openThroughHub(
	hub: string,
	face: Pick<RunnerRig, 'env'>,
	runner = 'laptop',
): Promise<(id: TerminalId) => TerminalSocket> {
	// The hub may just have started.
	const connected = await waitFor(
		async () => {
			const tried = await connectThroughHub({ hub, runner }, 'cli', face.env);
			return tried.ok ? tried.value : undefined;
		},
		{ what: 'the hub', everyMs: 100 },
	);
	return connected.openTerminalSocket;
}

/** A shell with the prompt of the machine. */
export async function openShell(runner: RunnerProcess): Promise<TerminalId> {
	const opened = await runner.api.terminals.open({ commandId: crypto.randomUUID(), projectId: runner.folder });
	return unwrap(opened).id;
}
