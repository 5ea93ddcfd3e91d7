// The prompts that wait, of all sessions. Each change is a fact of its session, and is told once it is on disk.
import type { DrivableAgent, OutgoingPrompt } from '@roost/core/runtime/connection';
import type { PromptChange } from '@roost/core/session/prompts';
import type { PromptsUpdate } from '@roost/gateway/operations/backend';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Engine } from '../engine/engine.ts';
import type { LiveSession } from '../engine/live-session.ts';
import { promiseResult } from '../record/command.ts';

export type PromptQueues = Disposable & {
	/** Sessions for which something waits. */
	all(): PromptsUpdate[];
	list(id: SessionId): readonly QueuedPrompt[];
	/** `sent`: its agent takes it at once, once both facts are on record. Refused where one of them is not: it is not sent later either. */
	add(id: SessionId, text: string, how?: { sent: boolean }): Promise<Result<OutgoingPrompt>>;
	edit(id: SessionId, prompt: PromptId, text: string): Promise<Result<QueuedPrompt>>;
	move(id: SessionId, prompt: PromptId, to: number): Promise<Result<void>>;
	cancel(id: SessionId, prompt: PromptId, reason?: string): Promise<Result<void>>;
	/** It may go to the agent, by itself or into the run under way, once this is on record; where it cannot be, it waits on. */
	handOver(id: SessionId, prompt: PromptId, as: 'send' | 'steer'): Promise<Result<void>>;
	/** Whatever else becomes of a prompt. */
	note(id: SessionId, change: PromptChange): Promise<Result<void>>;
	/** What waited when an earlier runner ended. */
	recall(id: SessionId): void;
};

export function createPromptQueues(deps: {
	engine: Engine;
	newId: () => PromptId;
	now: () => number;
	/** Told all that waits there now. */
	onChange: (told: PromptsUpdate) => void;
}): PromptQueues {
	const { engine } = deps;
	/** Only sessions in which something waits. */
	const waiting = new Map<SessionId, readonly QueuedPrompt[]>();
	const offUpdate = engine.onUpdate(({ sessionId, events }) => {
		if (events.some(({ kind }) => kind === 'prompt.update')) recall(sessionId, deps.onChange);
	});

	function recall(sessionId: SessionId, onChange: (told: PromptsUpdate) => void): void {
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

	/** What could not be saved is saved when the disk is back: that it was sent must not be the last word then. */
	async function handOver(id: SessionId, prompt: PromptId, as: 'send' | 'steer'): Promise<Result<void>> {
		const noted = await note(id, { type: as, id: prompt });
		if (noted.ok) return noted;
		const reason = `it could not be put on record: ${noted.error.message}`;
		await note(id, { type: 'return', id: prompt, reason });
		return noted;
	}

	/** As it stands on record now. */
	function found(id: SessionId, prompt: PromptId): Result<QueuedPrompt> {
		const known = waiting.get(id)?.find((one) => one.id === prompt);
		return known ? ok(known) : err(new AppError('conflict', 'This prompt was already sent to the agent.'));
	}

	return {
		all: () => [...waiting].map(([sessionId, prompts]) => ({ sessionId, prompts })),
		list: (id) => waiting.get(id) ?? [],
		async add(id, text, { sent } = { sent: false }) {
			const prompt = { id: deps.newId(), text };
			promiseResult({ promptId: prompt.id, queued: sent ? null : { ...prompt, queuedAt: deps.now() } });
			const steps = await Promise.all([note(id, { type: 'add', ...prompt }), ...(sent ? [handOver(id, prompt.id, 'send')] : [])]);
			const refused = steps.find((step) => !step.ok);
			if (!refused) return ok(prompt);
			await note(id, { type: 'cancel', id: prompt.id, reason: refused.error.message });
			return refused;
		},
		async edit(id, prompt, text) {
			const edited = await note(id, { type: 'edit', id: prompt, text });
			return edited.ok ? found(id, prompt) : edited;
		},
		move: (id, prompt, to) => note(id, { type: 'move', id: prompt, position: to }),
		cancel: (id, prompt, reason = 'somebody took it back') => note(id, { type: 'cancel', id: prompt, reason }),
		handOver,
		note,
		recall: (id) => recall(id, () => {}),
		[Symbol.dispose]: offUpdate,
	};
}

type Deps = { agent: DrivableAgent | undefined; prompts: Pick<PromptQueues, 'note'>; warn: (sentence: string) => void };

/** Asked while no agent has the conversation open. */
export async function settleSent(session: LiveSession, { agent, prompts, warn }: Deps): Promise<void> {
	const row = session.row();
	const nativeId = row.nativeIds.at(-1)?.id;
	for (const prompt of [...session.prompts().sent].reverse()) {
		const known =
			nativeId && agent
				? await agent.hasPrompt({ nativeId, cwd: row.drive?.cwd ?? row.projectPath, prompt: prompt.id })
				: ok(false);
		if (!known.ok) warn(`whether prompt ${prompt.id} of session ${row.id} arrived is not known: ${known.error.message}`);
		// Better once too few than a second time: whoever wrote it sees that it is on record as not sent.
		if (!known.ok)
			await prompts.note(row.id, { type: 'arrive', id: prompt.id, reason: 'nobody can tell whether its agent got it' });
		else if (known.value)
			await prompts.note(row.id, { type: 'arrive', id: prompt.id, reason: 'it is in the conversation of its agent' });
		else await prompts.note(row.id, { type: 'return', id: prompt.id, reason: 'its agent never got it' });
	}
}
