// roost runners: the runners behind an address, whether they are online, and their keys.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { toFingerprint } from '@roost/core/hub/fingerprint';
import { resolveHome } from '@roost/home/home';
import { openPinnedRunners } from '@roost/home/hub/known-runners';
import { readCliDevice, readPairing } from '@roost/home/hub/pairing';
import { sha256 } from '@roost/machine/sha256';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import { currentTarget } from '../hub/target.ts';
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connectOrStart } from '../runner/connect.ts';

export async function listRunners(options: { keys?: boolean; json?: boolean }): Promise<void> {
	const target = currentTarget();
	const rows = target
		? unwrap(await atHub(target.hub))
		: withOwnKey(unwrap(await unwrap(await connectOrStart()).api.runners.list()));
	if (options.keys) return await printKeys(rows, options);
	const none = 'No runner is paired with this hub for you. Run "roost join <link>" on a machine.';
	await print(options, rows, [rows.length === 0 ? none : toRunnerTable(rows, Date.now())]);
}

async function atHub(hub: string) {
	const { connectToHub } = await import('../hub/connect-hub.ts');
	return await unwrap(connectToHub(hub, process.env)).runners.list();
}

/** A runner on this machine: its key is in the pairing. */
function withOwnKey(rows: readonly RunnerRow[]): RunnerRow[] {
	const publicKey = unwrap(readPairing(unwrap(resolveHome(process.env))))?.key.publicKey;
	return rows.map((row) => ({ ...row, publicKey }));
}

type KeyRow = Pick<RunnerRow, 'id' | 'name'> & { key: string | null; pinned: string | null };

async function printKeys(rows: readonly RunnerRow[], options: { json?: boolean }): Promise<void> {
	const home = unwrap(resolveHome(process.env));
	const hub = currentTarget() && unwrap(readCliDevice(home))?.hub;
	const known = unwrap(openPinnedRunners(home).list()).filter((one) => hub === undefined || one.hub === hub);
	const fingerprint = (key: string | undefined) => (key === undefined ? null : toFingerprint(key, sha256));
	const keys = rows.map(({ id, name, publicKey }): KeyRow => {
		const pinned = known.find((one) => one.id === id)?.publicKey;
		return { id, name, key: fingerprint(publicKey), pinned: fingerprint(pinned) };
	});
	const cells = keys.map((row) => [sanitiseLine(row.name), row.id, row.key ?? '-', noteOn(row)]);
	await print(options, keys, [toTable(['RUNNER', 'ID', 'KEY', 'NOTE'], cells)]);
}

function noteOn({ key, pinned }: KeyRow): string {
	if (key === null) return 'not paired with a hub';
	if (pinned === null) return 'not used here yet';
	return key === pinned ? 'known here' : `changed: known here as ${pinned}`;
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
