// The queued prompts of all sessions. Each change is a fact of its session, and is published once it is on disk.
import type { DrivableAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { PromptChange } from '@roost/core/session/prompts';
import type { PromptsUpdate } from '@roost/gateway/operations/backend';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { Review } from '@roost/protocol/feed/review';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Engine } from '../engine/engine.ts';
import type { LiveSession } from '../engine/live-session.ts';
import { promiseResult } from '../record/command.ts';

/** `review`: the comments that its text holds. */
export type WrittenPrompt = { text: string; review?: Review | undefined };

export type PromptQueues = ReturnType<typeof createPromptQueues>;

export function createPromptQueues(deps: {
	engine: Engine;
	newId: () => PromptId;
	now: () => number;
	onChange: (queue: PromptsUpdate) => void;
}) {
	const { engine } = deps;
	const waiting = new Map<SessionId, readonly QueuedPrompt[]>();
	const offUpdate = engine.onUpdate(({ sessionId, events }) => {
		if (events.some(({ kind }) => kind === 'prompt.update')) recall(sessionId, deps.onChange);
	});

	function recall(sessionId: SessionId, onChange: (queue: PromptsUpdate) => void): void {
		const session = engine.session(sessionId);
		const prompts = session.ok ? session.value.prompts().waiting : [];
		if (prompts.length === 0 && !waiting.has(sessionId)) return;
		if (prompts.length > 0) waiting.set(sessionId, prompts);
		else waiting.delete(sessionId);
		onChange({ sessionId, prompts });
	}

	async function note(id: SessionId, change: PromptChange): Promise<Result<void>> {
		const session = engine.session(id);
		return session.ok ? await session.value.submit({ type: 'prompts', change, at: deps.now() }) : session;
	}

	/** To be called before a prompt is sent. If it cannot be recorded, the prompt stays queued, also when the disk is back. */
	async function handOver(id: SessionId, prompt: PromptId, as: 'send' | 'steer'): Promise<Result<void>> {
		const noted = await note(id, { type: as, id: prompt });
		if (noted.ok) return noted;
		await note(id, { type: 'return', id: prompt, reason: `it could not be recorded: ${noted.error.message}` });
		return noted;
	}

	return {
		all: (): PromptsUpdate[] => [...waiting].map(([sessionId, prompts]) => ({ sessionId, prompts })),
		list: (id: SessionId) => waiting.get(id) ?? [],
		/** `sent`: to be sent at once, after both facts are on record. If one is not, the prompt is cancelled. */
		async add(id: SessionId, written: WrittenPrompt, { sent } = { sent: false }): Promise<Result<OutgoingPrompt>> {
			const prompt = { id: deps.newId(), text: written.text };
			promiseResult({ promptId: prompt.id, queued: sent ? null : { ...prompt, queuedAt: deps.now() } });
			const steps = await Promise.all([
				note(id, { ...written, type: 'add', id: prompt.id }),
				...(sent ? [handOver(id, prompt.id, 'send')] : []),
			]);
			const refused = steps.find((step) => !step.ok);
			if (!refused) return ok(prompt);
			await note(id, { type: 'cancel', id: prompt.id, reason: refused.error.message });
			return refused;
		},
		async edit(id: SessionId, prompt: PromptId, text: string): Promise<Result<QueuedPrompt>> {
			const edited = await note(id, { type: 'edit', id: prompt, text });
			if (!edited.ok) return edited;
			const known = waiting.get(id)?.find((one) => one.id === prompt);
			return known ? ok(known) : err(new AppError('conflict', 'This prompt was already sent to the agent.'));
		},
		move: (id: SessionId, prompt: PromptId, to: number) => note(id, { type: 'move', id: prompt, position: to }),
		cancel: (id: SessionId, prompt: PromptId, reason = 'cancelled by user') => note(id, { type: 'cancel', id: prompt, reason }),
		handOver,
		note,
		recall: (id: SessionId) => recall(id, () => {}),
		[Symbol.dispose]: () => void offUpdate(),
	};
}

/** Prompts that were sent to an agent that exited without reporting them: its own conversation knows whether it got them. */
export async function settleSent(
	session: LiveSession,
	{
		agent,
		prompts,
		warn,
	}: { agent: DrivableAgent | undefined; prompts: Pick<PromptQueues, 'note'>; warn: (sentence: string) => void },
): Promise<void> {
	const row = session.row();
	const nativeId = row.nativeIds.at(-1)?.id;
	for (const { id } of [...session.prompts().sent].reverse()) {
		const cwd = row.drive?.cwd ?? row.projectPath;
		const known = nativeId && agent ? await agent.hasPrompt({ nativeId, cwd, prompt: id }) : ok(false);
		if (!known.ok) warn(`whether prompt ${id} of session ${row.id} arrived is unknown: ${known.error.message}`);
		// If unknown, it is not sent again: the user can see that on record.
		const arrived = known.ok ? 'it is in the conversation of its agent' : 'it is unknown whether its agent got it';
		const isMissing = known.ok && !known.value;
		await prompts.note(
			row.id,
			isMissing ? { type: 'return', id, reason: 'its agent never got it' } : { type: 'arrive', id, reason: arrived },
		);
	}
}
