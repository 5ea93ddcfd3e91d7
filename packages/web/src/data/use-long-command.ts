// A command of the runner that takes seconds: its lines of progress while it runs, and then its result.
import type { Reply } from '@roost/client/api-call';
import { useState } from 'react';
import { useConnected } from './use-connected.ts';
import { useInterval } from './use-interval.ts';

const LOOK_EVERY_MS = 500;

export type LongCommand = {
	readonly isRunning: boolean;
	/** The newest lines of its output. */
	readonly lines: readonly string[];
	/** Why it failed. */
	readonly problem: string | undefined;
	start(): void;
};

export function useLongCommand<T>(perform: (commandId: string) => Promise<Reply<T>>, onDone: (value: T) => void): LongCommand {
	const { api } = useConnected();
	const [id, setId] = useState<string>();
	const [lines, setLines] = useState<readonly string[]>([]);
	const [problem, setProblem] = useState<string>();

	async function look(): Promise<void> {
		const progress = id === undefined ? undefined : await api.commands.progress({ id });
		if (progress?.ok) setLines(progress.value.lines);
	}

	async function start(): Promise<void> {
		const commandId = crypto.randomUUID();
		setId(commandId);
		setLines([]);
		setProblem(undefined);
		const reply = await perform(commandId);
		setId(undefined);
		if (reply.ok) onDone(reply.value);
		else setProblem(reply.error.message);
	}

	useInterval(() => void look(), LOOK_EVERY_MS, id !== undefined);
	return { isRunning: id !== undefined, lines, problem, start: () => void start() };
}
