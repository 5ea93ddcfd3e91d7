// An operation of a runner's machine, called through the hub: reads are passed on at once, commands are on disk first.
import type { Caller } from '@roost/gateway/access/caller';
import { toPassedError } from '@roost/gateway/http/errors';
import type { Accepted } from '@roost/gateway/http/reply';
import { type Callable, parseInput } from '@roost/gateway/operations/api';
import { AppError } from '@roost/protocol/app-error';
import type { Operation, Parts } from '@roost/protocol/contract/operation';
import { type CommandClass, commandClass } from '@roost/protocol/hub/accepts';
import type { LinkCall, LinkOutcome } from '@roost/protocol/hub/link-frames';
import { type CommandSeal, LONGEST_SEAL_MS } from '@roost/protocol/hub/signed-command';
import { askId, type RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Deliveries } from '../commands/deliveries.ts';
import type { KnownRunner } from '../runners/known-runners.ts';
import type { HubRows } from '../store/hub-store.ts';

export type ForwardDeps = {
	runner: KnownRunner;
	deliveries: Deliveries;
	rows: Pick<HubRows, 'asks'>;
	mayCall(caller: Caller, runner: RunnerId, kind: CommandClass): boolean;
	now: () => number;
	newId: () => string;
};

/** What is worth doing only now. */
const SOON_MS = 30_000;
const LATER_MS = 15 * 60_000;

export function createForwarded(name: string, operation: Operation, deps: ForwardDeps): Callable {
	const { runner, deliveries } = deps;

	async function call(raw: Parameters<Callable['call']>[0], caller: Caller): Promise<Result<unknown>> {
		const parsed = parseInput(operation, raw);
		// Roles come first: an invalid body tells a caller without them nothing else.
		const kind = isForwarded(operation) ? commandClass(name, operation.needs, parsed.ok ? parsed.value : {}) : undefined;
		if (kind === undefined) return err(new AppError('denied', 'This can be done on the machine of the runner only.'));
		if (!deps.mayCall(caller, runner.id, kind)) return err(new AppError('denied', whyNot(kind, runner)));
		if (!parsed.ok) return parsed;
		const input = parsed.value;
		const device = caller.via === 'device' ? caller.device : undefined;
		const { seal } = caller;
		const forwarded: LinkCall = { operation: name, input, by: { ...caller.principal, device }, seal };
		return kind === 'read' ? await read(forwarded) : await command(forwarded, kind);
	}

	async function read(forwarded: LinkCall): Promise<Result<unknown>> {
		const outcome = await runner.call(forwarded);
		return outcome ? toResult(outcome) : err(offline(runner));
	}

	async function command(forwarded: LinkCall, kind: CommandClass): Promise<Result<unknown | Accepted>> {
		const id = forwarded.seal?.id ?? idIn(forwarded.input) ?? deps.newId();
		const expiresAt = deps.now() + (await lifeOf(forwarded));
		const ran = await deliveries.run(runner, { id, call: forwarded, kind, expiresAt });
		if (!ran.ok) return ran;
		return 'queued' in ran.value ? ok({ accepted: ran.value }) : toResult(ran.value);
	}

	/** Only durations are compared: devices and runners have other clocks, and the runner decides whether it is too late. */
	async function lifeOf({ operation: called, input, seal }: LinkCall): Promise<number> {
		if (seal) return signedLife(seal);
		const asked = askId.safeParse(input.askId);
		const asks = asked.success ? await deps.rows.asks(runner.id, { id: asked.data }) : ok([]);
		const ask = asks.ok ? asks.value[0] : undefined;
		// An answer is of use while its request is pending.
		if (ask && ask.expiresAt > ask.openedAt) return ask.expiresAt - ask.openedAt;
		return called === 'sessions.interrupt' || called === 'sessions.end' ? SOON_MS : LATER_MS;
	}

	return { name, operation, call };
}

/** Its times are by the clock of the device; the runner judges them, and the hub only how long it keeps the command. */
function signedLife({ issuedAt, expiresAt }: CommandSeal): number {
	return Math.min(Math.max(0, expiresAt - issuedAt), LONGEST_SEAL_MS);
}

/** Secrets, files and sockets stay on the machine. */
function isForwarded({ tokenOnly, deviceOnly, upgrade, media }: Operation): boolean {
	return !tokenOnly && !deviceOnly && !upgrade && media === undefined;
}

function idIn({ commandId }: Parts): string | undefined {
	return typeof commandId === 'string' ? commandId : undefined;
}

function toResult(outcome: LinkOutcome): Result<unknown> {
	return outcome.ok ? ok(outcome.value) : err(toPassedError(outcome.error, outcome.winner));
}

export function offline({ row, since }: KnownRunner): AppError {
	const at = new Date(since).toISOString().slice(0, 16).replace('T', ' ');
	return new AppError('cannot_start', `The runner "${row.name}" is offline since ${at} UTC. Its record can still be read.`);
}

const NEEDED: Readonly<Record<CommandClass, string>> = {
	read: 'viewer',
	stop: 'operator',
	operate: 'operator',
	approve: 'approver',
	own: 'owner',
};

function whyNot(kind: CommandClass, { row }: KnownRunner): string {
	return `This needs the role "${NEEDED[kind]}" on the runner "${row.name}". Ask an admin of the hub.`;
}
