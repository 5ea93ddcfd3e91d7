// Durable commands: on disk before they are sent, sent again at each connection, done when their receipt is stored.
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import type { CommandClass } from '@roost/protocol/hub/accepts';
import { type LinkCall, type LinkOutcome, linkOutcome } from '@roost/protocol/hub/link-frames';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { type Bus, isTooLong } from '../bus/bus.ts';
import { createSweep } from '../bus/sweep.ts';
import type { KnownRunner, KnownRunners } from '../runners/known-runners.ts';
import { commandsOf, readHint } from '../runners/runner-bus.ts';
import type { RunnerLink } from '../runners/runner-link.ts';
import type { HubCommand, HubStore } from '../store/hub-store.ts';
import { createCallers } from './callers.ts';

export type Deliveries = Disposable & {
	/** The outcome, or the stored command where the runner is away or does not answer in time. */
	run(runner: KnownRunner, command: NewCommand): Promise<Result<LinkOutcome | Waiting>>;
	/** Sends what is open. */
	resume(runner: KnownRunner): Promise<void>;
	settle(runner: RunnerId, commandId: string, outcome: LinkOutcome): Promise<Result<void>>;
};

export type NewCommand = { id: string; call: LinkCall; kind: CommandClass; expiresAt: number };

export type Waiting = { queued: true; commandId: string; expiresAt: number };

export type DeliveriesDeps = {
	commands: HubStore['commands'];
	runners: Pick<KnownRunners, 'list'>;
	bus: Bus;
	now: () => number;
	/** How long a caller waits for a runner that is connected. */
	waitMs: number;
	sweepMs: number;
	timers?: Timers;
	warn: (sentence: string) => void;
};

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
	const { commands, runners, bus, now, warn } = deps;
	const callers = createCallers(deps.waitMs);
	/** Of each connection: what was sent over it and has no outcome yet. */
	const sent = new WeakMap<RunnerLink, Set<string>>();
	const sweeping = createSweep({ ...deps, work: sweep });
	const unsubscribe = bus.subscribe(OUTCOMES, (text) => {
		const hint = readHint(outcomeHint, text);
		if (!hint || !callers.has(hint.id)) return;
		if (hint.outcome) callers.tell(hint.id, hint.outcome);
		else void readOutcomes([hint.id]);
	});

	function send({ link }: KnownRunner, { id, call, expiresAt }: HubCommand): void {
		if (!link || now() >= expiresAt) return;
		const before = sent.get(link) ?? new Set();
		sent.set(link, before);
		if (before.has(id)) return;
		before.add(id);
		link.deliver({ ...call, commandId: id, expiresAt });
	}

	async function sendOpen(to: readonly KnownRunner[]): Promise<void> {
		if (to.length === 0) return;
		const open = await commands.pending(to.map(({ id }) => id));
		if (!open.ok) return warn(open.error.message);
		const byId = new Map(to.map((runner) => [runner.id, runner]));
		for (const command of open.value) {
			const runner = byId.get(command.runner);
			if (runner) send(runner, command);
		}
	}

	async function readOutcomes(ids: readonly string[]): Promise<void> {
		if (ids.length === 0) return;
		const found = await commands.find(ids);
		if (!found.ok) return warn(found.error.message);
		for (const command of found.value) {
			const over = outcomeOf(command);
			if (over) callers.tell(command.id, over);
		}
	}

	/** What hints may have missed. */
	async function sweep(): Promise<void> {
		const gone = await commands.expire(now());
		if (!gone.ok) return warn(gone.error.message);
		for (const { id } of gone.value) callers.tell(id, failed(expired()));
		await sendOpen(runners.list().filter(({ link }) => link));
		await readOutcomes(callers.ids());
	}

	/** Not known for certain while the bus is not connected: then the outcome is waited for. */
	async function isOffline(runner: KnownRunner): Promise<boolean> {
		const asked = await bus.request(commandsOf(runner.id), '', ASK_MS);
		return !asked.ok && asked.error.code === 'not_found';
	}

	return {
		async run(runner, { id, call, kind, expiresAt }) {
			const opened = await commands.open({ id, runner: runner.id, call, kind, createdAt: now(), expiresAt });
			if (!opened.ok) return opened;
			const over = outcomeOf(opened.value);
			if (over) return ok(over);
			const caller = callers.wait(id);
			if (runner.link) send(runner, opened.value);
			else
				void isOffline(runner).then((away) => {
					if (away) caller.giveUp();
				});
			return ok((await caller.outcome) ?? { queued: true, commandId: id, expiresAt: opened.value.expiresAt });
		},
		resume: (runner) => sendOpen([runner]),
		async settle(runner, id, outcome) {
			const closed = await commands.close(runner, id, outcome);
			const link = runners.list().find((one) => one.id === runner)?.link;
			// Where the receipt could not be stored, the next sweep sends the command again, and the runner its receipt.
			if (link) sent.get(link)?.delete(id);
			if (!closed.ok || !closed.value) return closed.ok ? ok(undefined) : closed;
			const first = closed.value.outcome ?? outcome;
			callers.tell(id, first);
			const hint = JSON.stringify({ id, outcome: first });
			bus.publish(OUTCOMES, isTooLong(hint) ? JSON.stringify({ id }) : hint);
			return ok(undefined);
		},
		[Symbol.dispose]() {
			sweeping[Symbol.dispose]();
			unsubscribe();
		},
	};
}

const OUTCOMES = 'outcomes';
const outcomeHint = z.object({ id: z.string(), outcome: linkOutcome.optional() });
const ASK_MS = 5_000;

/** Undefined while it is open. A cancelled command is not sent, even if it is repeated. */
function outcomeOf({ state, outcome }: HubCommand): LinkOutcome | undefined {
	if (outcome) return outcome;
	return state === 'open' ? undefined : failed(state === 'expired' ? expired() : cancelled());
}

function expired(): AppError {
	return new AppError('timed_out', 'The command expired before the runner was online. Send it again.');
}

function cancelled(): AppError {
	return new AppError('interrupted', 'The command was cancelled before the runner was online.');
}

function failed({ code, message }: AppError): LinkOutcome {
	return { ok: false, error: { code, message } };
}
