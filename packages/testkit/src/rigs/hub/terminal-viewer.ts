// A viewer of a terminal with the client of the faces: keeps every byte, and counts what happened to its connection.
import { createTerminalClient, type TerminalClient, type TerminalOver } from '@roost/client/terminal-client';
import type { TerminalSocket } from '@roost/client/terminal-socket';
import { realTimers } from '@roost/machine/timers';
import type { TerminalControl } from '@roost/protocol/api/terminals';
import { waitFor } from '../wait-for.ts';

export type TerminalViewerRig = Disposable & {
	readonly client: TerminalClient;
	/** Of its connection so far. */
	readonly seen: {
		snapshots: number;
		lost: string[];
		refused: string[];
		control: TerminalControl[];
		over: TerminalOver | undefined;
	};
	type(keys: string): void;
	/** Everything since the latest snapshot, which is included. */
	bytes(): Buffer;
	/** The number of all bytes so far. */
	received(): number;
	/** Waits until the latest output has these words. */
	shows(words: string | RegExp, deadlineMs?: number): Promise<void>;
	/** Waits until it may type, after this many snapshots. */
	controls(snapshots?: number): Promise<void>;
};

const TAIL_BYTES = 8 * 1024;

/** `shown`: resolves when the window has shown its bytes; at once by default. */
export function openTerminalViewer(
	openSocket: () => TerminalSocket,
	{ shown = async () => {}, want = 'control' as 'control' | 'view' } = {},
): TerminalViewerRig {
	let chunks: Uint8Array[] = [];
	let received = 0;
	let tail: Buffer = Buffer.alloc(0);
	const seen: TerminalViewerRig['seen'] = { snapshots: 0, lost: [], refused: [], control: [], over: undefined };

	async function keep(bytes: Uint8Array): Promise<void> {
		const copy = Buffer.from(bytes);
		chunks.push(copy);
		received += copy.length;
		tail = Buffer.concat([tail, copy]).subarray(-TAIL_BYTES);
		await shown();
	}
	const client = createTerminalClient({
		openSocket,
		want,
		size: { cols: 80, rows: 24 },
		timers: realTimers,
		random: () => 0,
		backoff: { initialDelayMs: 50, maxDelayMs: 500, multiplier: 2 },
		window: {
			async snapshot(bytes) {
				seen.snapshots += 1;
				chunks = [];
				await keep(bytes);
			},
			bytes: keep,
			attached: () => {},
			control: (control) => seen.control.push(control),
			resized: () => {},
			refused: (reason) => seen.refused.push(reason),
			lost: (reason) => seen.lost.push(reason),
			ended(over) {
				seen.over = over;
			},
		},
	});
	return {
		client,
		seen,
		type: (keys) => client.type(Buffer.from(keys)),
		bytes: () => Buffer.concat(chunks),
		received: () => received,
		async shows(words, deadlineMs = 60_000) {
			await waitFor(() => (tail.toString('latin1').match(words) ? true : undefined), {
				deadlineMs,
				what: `a terminal that shows ${words}`,
				seen: () => ({ ...seen, tail: tail.toString('latin1').slice(-400) }),
				everyMs: 5,
			});
		},
		async controls(snapshots = 1) {
			const isReady = () => seen.snapshots >= snapshots && seen.control.at(-1)?.holder === 'you';
			await waitFor(() => isReady() || undefined, { what: 'control', seen: () => seen });
		},
		[Symbol.dispose]: () => client[Symbol.dispose](),
	};
}
