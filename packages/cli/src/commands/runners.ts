// roost runners: the runners behind an address, and whether they are online.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { currentTarget } from '../hub/target.ts';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart } from '../runner/connect.ts';

export async function listRunners(options: { json?: boolean }): Promise<void> {
	const target = currentTarget();
	const rows = target ? unwrap(await atHub(target.hub)) : unwrap(await unwrap(await connectOrStart()).api.runners.list());
	const none = 'No runner is paired with this hub for you. Run "roost join <link>" on a machine.';
	await print(options, rows, [rows.length === 0 ? none : toRunnerTable(rows, Date.now())]);
}

async function atHub(hub: string) {
	const { connectToHub } = await import('../hub/connect-hub.ts');
	return await unwrap(connectToHub(hub, process.env)).runners.list();
}

function toRunnerTable(rows: readonly RunnerRow[], now: number): string {
	const cells = rows.map(({ name, id, online, since, version, owner = '', asks, working }) => [
		sanitiseLine(name),
		id,
		online ? 'online' : `offline for ${age(since, now)}`,
		String(working),
		String(asks),
		sanitiseLine(version),
		owner,
	]);
	return toTable(['RUNNER', 'ID', 'STATUS', 'WORKING', 'REQUESTS', 'VERSION', 'OWNER'], cells);
}
