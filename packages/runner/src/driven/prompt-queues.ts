// The prompts that wait, by session; whoever looks is told of every change.
import type { PromptsTold } from '@roost/gateway/backend';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { createPromptQueue, type PromptQueue } from './prompt-queue.ts';

export type PromptQueues = {
	of(id: SessionId): PromptQueue;
	/** Those in which something waits. */
	all(): PromptsTold[];
};

export function createPromptQueues(deps: {
	newId: () => PromptId;
	now: () => number;
	onChange: (told: PromptsTold) => void;
}): PromptQueues {
	/** Only those in which something waits: an empty one is made anew when it is needed. */
	const queues = new Map<SessionId, PromptQueue>();

	function make(sessionId: SessionId): PromptQueue {
		const queue = createPromptQueue({
			...deps,
			onChange(prompts) {
				if (prompts.length === 0) queues.delete(sessionId);
				else queues.set(sessionId, queue);
				deps.onChange({ sessionId, prompts });
			},
		});
		return queue;
	}

	return {
		of: (id) => queues.get(id) ?? make(id),
		all: () => [...queues].map(([sessionId, queue]) => ({ sessionId, prompts: queue.list() })),
	};
}
