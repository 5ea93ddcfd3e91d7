// Prompts on their way to Claude: which wait for the turn to end, which were written, and which Claude has taken.
import type { OutgoingPrompt } from '@roost/core/runtime/connection';
import { toMessageUuid } from './message-uuid.ts';

export type Prompts = {
	/** Written at once where Claude is idle or is to be steered; else it waits. False where too many wait. */
	take(prompt: OutgoingPrompt, how: 'follow-up' | 'steer'): boolean;
	/** Claude has begun with it: the prompt, the first time this is heard. */
	taken(uuid: string): WrittenPrompt | undefined;
	/** Claude reports a prompt in its own words: which one of ours it is, and whether that is news. */
	reported(text: string): { prompt?: WrittenPrompt; isNews: boolean };
	/** A turn ended by itself. The prompt it answered, where nothing was heard of it before. */
	ended(completed: boolean): WrittenPrompt | undefined;
	/** After a turn has ended and that was told: writes the next. */
	next(): void;
	/** Whether something was written that has not ended. */
	isBusy(): boolean;
};

/** `steers`: it was written into a turn that was under way. */
export type WrittenPrompt = OutgoingPrompt & { steers: boolean };

export type WritePrompt = (prompt: OutgoingPrompt, how: { uuid: ReturnType<typeof toMessageUuid>; steers: boolean }) => boolean;

type Written = { prompt: WrittenPrompt; uuid: string; isTaken: boolean; isReported: boolean };

const MAX_WAITING = 100;

export function createPrompts(write: WritePrompt): Prompts {
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
		take(prompt, how) {
			if (how === 'steer' || written.length === 0) return send(prompt, how === 'steer' && written.length > 0);
			if (waiting.length >= MAX_WAITING) return false;
			waiting.push(prompt);
			return true;
		},
		taken: (uuid) => mark(written.find((one) => one.uuid === uuid)),
		reported(text) {
			const one = written.find((other) => other.prompt.text === text && !other.isReported);
			if (!one) return { isNews: true };
			one.isReported = true;
			return { prompt: one.prompt, isNews: mark(one) !== undefined };
		},
		ended(completed) {
			const wasTaken = written.some((one) => one.isTaken);
			const silent = completed && !wasTaken ? written[0] : undefined;
			written = written.filter((one) => !one.isTaken && one !== silent);
			return silent?.prompt;
		},
		next() {
			const prompt = written.length === 0 ? waiting.shift() : undefined;
			if (prompt) send(prompt, false);
		},
		isBusy: () => written.length > 0,
	};
}

type InputQueue<T> = AsyncIterable<T> & {
	/** False where it is full or ended: the caller keeps what it has. */
	push(item: T): boolean;
	/** What is in it is still read; then the reader is done. */
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
