// The command that is being carried out: whatever is put on record for it carries its receipt.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Receipt } from '@roost/store/store';

export type Command = {
	/** To be written in the transaction of what it led to. */
	receipt(at: number): Receipt;
	/** That transaction is on disk. */
	saved(): void;
};

type Running = Command & { promise(result: unknown): void; isSaved(): boolean };

const running = new AsyncLocalStorage<Running>();

/** Undefined outside of commands, and once the receipt of this one is on disk. */
export function currentCommand(): Command | undefined {
	const command = running.getStore();
	return command?.isSaved() === false ? command : undefined;
}

/** What the command will answer if it succeeds: to be said before anything is put on record. */
export function promiseResult<T>(result: T): T {
	running.getStore()?.promise(result);
	return result;
}

/** Carries out a command; tells whether its receipt was written with a fact. */
export async function runCommand<T>(
	command: { id: string; hash: string; toText: (result: unknown) => string },
	work: () => Promise<T>,
): Promise<{ result: T; isSaved: boolean }> {
	let text: string | null = null;
	let isSaved = false;
	const { id, hash, toText } = command;
	const own: Running = {
		receipt: (at) => ({ id, hash, at, result: text }),
		saved() {
			isSaved = true;
		},
		promise(result) {
			text = toText(result);
		},
		isSaved: () => isSaved,
	};
	const result = await running.run(own, work);
	const wasSaved = isSaved;
	// What comes later, such as from an agent that it started, is not part of it.
	own.saved();
	return { result, isSaved: wasSaved };
}
