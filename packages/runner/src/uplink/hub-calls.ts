// The frames of a hub that call this runner, and their answers. A receipt that was lost is sent again when the hub repeats its command.
import type { LinkOutcome, RunnerFrame, TerminalOpen } from '@roost/protocol/hub/link-frames';
import { z } from 'zod';
import type { CallFrame } from './connection.ts';
import type { Forwarded } from './forwarded.ts';

export type HubCalls = {
	/** A connection opened: what is answered from now on goes through it. */
	open(send: (frame: RunnerFrame) => void): void;
	close(): void;
	take(frame: CallFrame): void;
	/** A frame that cannot be read: the hub must not wait for it. */
	takeUnreadable(frame: unknown): void;
};

export function createHubCalls(
	forwarded: Pick<Forwarded, 'request' | 'command'>,
	openTerminal: (frame: TerminalOpen) => void,
): HubCalls {
	let send: ((frame: RunnerFrame) => void) | undefined;

	/** The hub may have reconnected meanwhile. */
	async function settle(commandId: string, outcome: Promise<LinkOutcome>): Promise<void> {
		const frame: RunnerFrame = { type: 'command.receipt', commandId, outcome: await outcome };
		send?.(frame);
	}

	async function reply(id: string, outcome: Promise<LinkOutcome>): Promise<void> {
		const to = send;
		const frame: RunnerFrame = { type: 'reply', id, outcome: await outcome };
		to?.(frame);
	}

	return {
		open(next) {
			send = next;
		},
		close() {
			send = undefined;
		},
		take(frame) {
			if (frame.type === 'request') void reply(frame.id, forwarded.request(frame));
			else if (frame.type === 'session.command') void settle(frame.commandId, forwarded.command(frame));
			else if (frame.type === 'terminal.open') openTerminal(frame);
		},
		takeUnreadable(frame) {
			const read = unreadable.safeParse(frame).data;
			if (read?.type === 'request') send?.({ type: 'reply', id: read.id, outcome: UNREADABLE });
			else if (read) send?.({ type: 'command.receipt', commandId: read.commandId, outcome: UNREADABLE });
		},
	};
}

const unreadable = z.discriminatedUnion('type', [
	z.object({ type: z.literal('request'), id: z.string() }),
	z.object({ type: z.literal('session.command'), commandId: z.string() }),
]);

const UNREADABLE: LinkOutcome = {
	ok: false,
	error: { code: 'bad_request', message: 'The runner cannot read this call. It may be older than the hub: update Roost there.' },
};
