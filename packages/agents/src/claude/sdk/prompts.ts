// Prompts on their way to Claude: waiting for the end of a turn, written, or taken by Claude.
import type { OutgoingPrompt } from '@roost/core/runtime/connection';
import { toMessageUuid } from './conversations.ts';

export type Prompts = ReturnType<typeof createPrompts>;

/** `steers`: written into a running turn. */
export type WrittenPrompt = OutgoingPrompt & { steers: boolean };

export type WritePrompt = (prompt: OutgoingPrompt, how: { uuid: ReturnType<typeof toMessageUuid>; steers: boolean }) => boolean;

type Written = { prompt: WrittenPrompt; uuid: string; isTaken: boolean; isReported: boolean };

const MAX_WAITING = 100;

export function createPrompts(write: WritePrompt) {
	const waiting: OutgoingPrompt[] = [];
	let written: Written[] = [];

	function send(prompt: OutgoingPrompt, steers: boolean): boolean {
		const uuid = toMessageUuid(prompt.id);
		if (!write(prompt, { uuid, steers })) return false;
		written.push({ prompt: { ...prompt, steers }, uuid, isTaken: false, isReported: false });
		return true;
	}

	function mark(one: Written | undefined): WrittenPrompt | undefined {
		if (!one || one.isTaken) return undefined;
		one.isTaken = true;
		return one.prompt;
	}

	return {
		/** Written at once if Claude is idle or steered, else it waits. False where too many wait. */
		take(prompt: OutgoingPrompt, how: 'follow-up' | 'steer'): boolean {
			if (how === 'steer' || written.length === 0) return send(prompt, how === 'steer' && written.length > 0);
			if (waiting.length >= MAX_WAITING) return false;
			waiting.push(prompt);
			return true;
		},
		/** Claude started on it; returns the prompt the first time. */
		taken: (uuid: string) => mark(written.find((one) => one.uuid === uuid)),
		/** Matches a prompt that Claude reports with one of Roost's, and whether it is new. */
		reported(text: string): { prompt?: WrittenPrompt; isNews: boolean } {
			const one = written.find((other) => other.prompt.text === text && !other.isReported);
			if (!one) return { isNews: true };
			one.isReported = true;
			return { prompt: one.prompt, isNews: mark(one) !== undefined };
		},
		/** A turn ended. Returns the prompt it answered, if it was not reported before. */
		ended(completed: boolean): WrittenPrompt | undefined {
			const wasTaken = written.some((one) => one.isTaken);
			const silent = completed && !wasTaken ? written[0] : undefined;
			written = written.filter((one) => !one.isTaken && one !== silent);
			return silent?.prompt;
		},
		/** Writes the next prompt. */
		next(): void {
			const prompt = written.length === 0 ? waiting.shift() : undefined;
			if (prompt) send(prompt, false);
		},
		isBusy: () => written.length > 0,
	};
}

type InputQueue<T> = AsyncIterable<T> & {
	/** False where it is full or ended. */
	push(item: T): boolean;
	/** The reader gets the remaining items. */
	end(): void;
};

export function createInputQueue<T>(limit: number): InputQueue<T> {
	const items: T[] = [];
	let isEnded = false;
	let wake = () => {};

	async function* read(): AsyncGenerator<T> {
		for (;;) {
			const next = items.shift();
			if (next !== undefined) yield next;
			else if (isEnded) return;
			else await new Promise<void>((resolve) => (wake = resolve));
		}
	}

	return {
		push(item) {
			if (isEnded || items.length >= limit) return false;
			items.push(item);
			wake();
			return true;
		},
		end() {
			isEnded = true;
			wake();
		},
		[Symbol.asyncIterator]: read,
	};
}
