// The running command: its receipt is stored in the same transaction as its facts.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { Receipt } from '@roost/store/store';

export type Command = {
	receipt(at: number): Receipt;
	/** The receipt is on disk. */
	saved(): void;
};

type Running = Command & { promise(result: unknown): void; isSaved(): boolean; proof(): CommandProof | undefined };

const running = new AsyncLocalStorage<Running>();

/** Undefined outside of commands, and once the receipt is on disk. */
export function currentCommand(): Command | undefined {
	const command = running.getStore();
	return command?.isSaved() === false ? command : undefined;
}

/** Of the command, as long as it runs: kept in its facts. */
export function currentProof(): CommandProof | undefined {
	return running.getStore()?.proof();
}

/** Sets the result of the command if it succeeds; call it before anything is recorded. */
export function promiseResult<T>(result: T): T {
	running.getStore()?.promise(result);
	return result;
}

/** `isSaved`: the receipt was stored together with a fact. */
export async function runCommand<T>(
	command: { id: string; hash: string; toText: (result: unknown) => string; proof?: CommandProof | undefined },
	work: () => Promise<T>,
): Promise<{ result: T; isSaved: boolean }> {
	let text: string | null = null;
	let isSaved = false;
	let isRunning = true;
	const { id, hash, toText, proof } = command;
	const own: Running = {
		receipt: (at) => ({ id, hash, at, result: text }),
		saved() {
			isSaved = true;
		},
		promise(result) {
			text = toText(result);
		},
		isSaved: () => isSaved,
		proof: () => (isRunning ? proof : undefined),
	};
	const result = await running.run(own, work);
	const wasSaved = isSaved;
	isRunning = false;
	// Later facts, such as those of an agent that it started, are not part of it.
	own.saved();
	return { result, isSaved: wasSaved };
}
