// Two nodes over Postgres and NATS: an event until it is acknowledged and until a face at the other node has it, and a command.

import { checkSeal } from '@roost/core/hub/signed-command';
import { openPostgresHubStore } from '@roost/hub/store/postgres-hub-store';
import { createPostgresLogWriter } from '@roost/hub/store/postgres-log-writer';
import { createPostgresSql } from '@roost/hub/store/postgres-sql';
import { sha256 } from '@roost/machine/sha256';
import { createSigningKey, isSignedBy, signText } from '@roost/machine/signing-key';
import type { LinkCall } from '@roost/protocol/hub/link-frames';
import { runnerId } from '@roost/protocol/ids';
import { isHeard, startHubNodes, startHubServers } from '@roost/testkit/rigs/hub/hub-nodes';
import { logOf, sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { createSigningDevice } from '@roost/testkit/rigs/hub/signing-device';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';
import { costRow } from './hub-rows.ts';
import { logNumber, takeBare } from './hub-take.ts';
import { quantile, timed, within } from './timing.ts';

const EVENTS = 300;
const COMMANDS = 200;
const SEALS = 300;
const WARM_UP = 30;
const LIMIT_MS = 30_000;
const CALL: LinkCall = { operation: 'sessions.prompt', input: { text: 'do it' }, by: { name: 'ada', face: 'web' } };

export async function run(): Promise<BenchRow[]> {
	await using servers = await startHubServers();
	await using nodes = await startHubNodes(servers, { sweepMs: 2_000 });
	const runner = await nodes.connect(nodes.a);
	const url = await servers.postgres.createDatabase();
	await using store = unwrap(await openPostgresHubStore({ url }));
	unwrap(await store.runners.pair(sampleRunner('bare')));
	unwrap(await store.logs.openEpoch(logOf('bare'), 'the log began', 1));
	const sql = createPostgresSql(url, { title: 'the database', database: 'bench' });
	await using stack = new AsyncDisposableStack();
	stack.defer(() => sql.close());
	const writer = createPostgresLogWriter(sql);
	const logNo = await logNumber(writer, logOf('bare'));
	const lines = await sampleLog(
		'runner-1',
		Array.from({ length: EVENTS }, () => 's'),
		' '.padEnd(700, 'x'),
	);
	const bareLines = await sampleLog(
		'bare',
		Array.from({ length: EVENTS }, () => 's'),
		' '.padEnd(700, 'x'),
	);
	let seen = (_: number) => {};
	nodes.b.runner().onUpdate(({ entries }) => seen(entries.at(-1)?.seqNo ?? 0));
	await isHeard(nodes.a, nodes.b);
	const [takes, acks, faces]: number[][] = [[], [], []];
	for (const [at, line] of lines.entries()) {
		const bare = bareLines.slice(at, at + 1);
		takes?.push(await timed(() => takeBare(writer, logNo, bare)));
		const [acked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		runner.onFrame = (frame) => frame.type === 'backfill.ack' && frame.lastSeqNo === line.seqNo && acked.resolve();
		seen = (seqNo) => seqNo === line.seqNo && told.resolve();
		const started = performance.now();
		runner.append([line]);
		const noted = (to: number[] | undefined) => () => void to?.push(performance.now() - started);
		const both = Promise.all([acked.promise.then(noted(acks)), told.promise.then(noted(faces))]);
		await within(LIMIT_MS, both, 'a line');
	}
	const commands: number[] = [];
	for (let at = 0; at < COMMANDS; at++) {
		const command = { id: `c${at}`, call: CALL, kind: 'operate' as const, expiresAt: Date.now() + LIMIT_MS };
		commands.push(await timed(async () => unwrap(await nodes.b.deliveries.run(nodes.b.runner(), command))));
	}
	const floor = 'the bare call of take_lines with one line, p50';
	const p = (values: readonly number[] | undefined, share: number) => quantile((values ?? []).slice(WARM_UP), share);
	const floorValue = p(takes, 0.5);
	return [
		costRow({ bar: 'hub, ack of one event, p50', floor, value: p(acks, 0.5), floorValue }, 2),
		costRow(
			{
				bar: 'hub, ack of one event, p99',
				floor: 'the bare call of take_lines with one line, p99',
				value: p(acks, 0.99),
				floorValue: p(takes, 0.99),
			},
			3,
		),
		costRow({ bar: 'hub, event to a face at another node, p50', floor, value: p(faces, 0.5), floorValue }, 3),
		costRow({ bar: 'hub, command at another node to its result, p50', floor, value: p(commands, 0.5), floorValue }, 6),
		await sealRow(),
	];
}

/** What the runner adds to a command that is signed. */
async function sealRow(): Promise<BenchRow> {
	const runner = runnerId.parse('runner-1');
	const device = createSigningDevice();
	const key = createSigningKey();
	const signature = signText(key, 'a text');
	const [checks, bare]: number[][] = [[], []];
	for (let at = 0; at < SEALS; at++) {
		const {
			operation,
			input,
			by,
			seal,
			commandId: id,
		} = await device.command(runner, 'sessions.rename', {
			commandId: `c${at}`,
			id: 's',
			title: `Title ${at}`,
		});
		if (!seal) throw new Error('the command has no seal');
		const sealed = { id, operation, input, kind: 'operate' as const, by, seal, device: device.entry };
		checks?.push(await timed(async () => unwrap(checkSeal(sealed, runner, Date.now(), { hash: sha256, isSignedBy }))));
		bare?.push(await timed(async () => isSignedBy(key.publicKey, 'a text', signature)));
	}
	const [value, floorValue] = [checks, bare].map((times) => quantile((times ?? []).slice(WARM_UP), 0.5));
	const row = { bar: 'hub, signed command verified, p50', floor: 'one Ed25519 verification', unit: 'ms', target: '<= 0.3 ms' };
	const [taken = Number.NaN, least = Number.NaN] = [value, floorValue];
	return { ...row, value: taken, floorValue: least, ratio: taken / least, met: taken <= 0.3 };
}
