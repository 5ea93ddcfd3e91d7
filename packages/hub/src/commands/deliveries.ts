// Durable commands: on disk before they are sent, sent again at each connection, done when their receipt is stored.
import { AppError } from '@roost/protocol/app-error';
import type { CommandClass } from '@roost/protocol/hub/accepts';
import type { LinkCall, LinkOutcome } from '@roost/protocol/hub/link-frames';
import type { RunnerId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { KnownRunner } from '../runners/known-runners.ts';
import type { HubCommand, HubStore } from '../store/hub-store.ts';

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
	now: () => number;
	/** How long a caller waits for a runner that is connected. */
	waitMs: number;
	sweepMs: number;
	warn: (sentence: string) => void;
};

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
	const { commands, now } = deps;
	/** Callers by command; several may repeat the same one. */
	const waiting = new Map<string, Set<(outcome: LinkOutcome) => void>>();
	const timer = setInterval(() => void sweep(), deps.sweepMs).unref();

	function tell(id: string, outcome: LinkOutcome): void {
		for (const resolve of waiting.get(id) ?? []) resolve(outcome);
		waiting.delete(id);
	}

	function send(runner: KnownRunner, { id, call, expiresAt }: HubCommand): void {
		runner.link?.deliver({ ...call, commandId: id, expiresAt });
	}

	async function sweep(): Promise<void> {
		const expired = await commands.expire(now());
		if (!expired.ok) return deps.warn(expired.error.message);
		for (const { id } of expired.value) tell(id, failed(new AppError('timed_out', EXPIRED)));
	}

	async function wait(id: string): Promise<LinkOutcome | undefined> {
		const { promise, resolve } = Promise.withResolvers<LinkOutcome | undefined>();
		const callers = waiting.get(id) ?? new Set();
		waiting.set(id, callers.add(resolve));
		const timer = setTimeout(() => resolve(undefined), deps.waitMs);
		try {
			return await promise;
		} finally {
			clearTimeout(timer);
			callers.delete(resolve);
			if (callers.size === 0) waiting.delete(id);
		}
	}

	return {
		async run(runner, { id, call, kind, expiresAt }) {
			const opened = await commands.open({ id, runner: runner.id, call, kind, createdAt: now(), expiresAt });
			if (!opened.ok) return opened;
			if (opened.value.outcome) return ok(opened.value.outcome);
			const stillOpen: Waiting = { queued: true, commandId: id, expiresAt: opened.value.expiresAt };
			if (!runner.link) return ok(stillOpen);
			const outcome = wait(id);
			send(runner, opened.value);
			return ok((await outcome) ?? stillOpen);
		},
		async resume(runner) {
			const open = await commands.pending(runner.id);
			if (!open.ok) return deps.warn(open.error.message);
			for (const command of open.value) if (now() < command.expiresAt) send(runner, command);
		},
		async settle(runner, id, outcome) {
			const closed = await commands.close(runner, id, outcome);
			if (!closed.ok) return closed;
			if (closed.value) tell(id, closed.value.outcome ?? outcome);
			return ok(undefined);
		},
		[Symbol.dispose]: () => clearInterval(timer),
	};
}

const EXPIRED = 'The command expired before the runner was online. Send it again.';

function failed({ code, message }: AppError): LinkOutcome {
	return { ok: false, error: { code, message } };
}
