// Driven sessions for a face: whether the open one takes prompts, queued prompts, and the wishes about sessions.
import { guardWords, isHere } from '@roost/protocol/api/agents';
import type { DrivenSession, QueuedPrompt } from '@roost/protocol/api/driving';
import { assertNever } from '@roost/protocol/assert-never';
import type { SessionId } from '@roost/protocol/ids';
import type { Reply } from '../api-call.ts';
import type { ApiClient } from '../api-client.ts';
import type { StreamClient } from '../stream-client.ts';
import { type Notice, queuedNotice } from './notice.ts';
import type { Wish } from './wish.ts';
import type { World } from './world.ts';

export type DrivingFacts = Pick<World, 'driving' | 'queues' | 'agents' | 'models'>;

export const NO_DRIVING: DrivingFacts = { driving: null, queues: new Map(), agents: [], models: [] };

type Failed = Extract<Reply<unknown>, { ok: false }>;
type OtherWish = 'approve' | 'answer' | 'search' | 'export' | 'refresh-sessions' | `${'add' | 'remove' | 'test'}-rule`;
type OpeningWish = 'open-session' | 'open-past' | 'read-past';

/** Wishes about driven sessions. */
export type DrivingWish = Exclude<Wish, { type: OtherWish | OpeningWish }>;

export type DrivingWatch = {
	/** This session is open now. */
	open(id: SessionId): Promise<void>;
	/** A past session is open now, which is not on record. */
	openPast(): void;
	/** The connection is new: the runner sends all queues again. */
	renew(): Promise<void>;
	perform(wish: DrivingWish): Promise<void>;
};

export function watchDriving(deps: {
	api: Pick<ApiClient, 'agents' | 'record' | 'sessions' | 'settings' | 'queue'>;
	stream: Pick<StreamClient, 'onQueue'>;
	project: World['project'];
	/** Makes the id of a command. */
	newId: () => string;
	notify: (notice: Notice) => void;
	onChange: (facts: Partial<DrivingFacts>) => void;
	/** This session was started, forked or resumed and should be opened. */
	onSession: (id: SessionId) => void;
}): DrivingWatch {
	const { api, newId, notify } = deps;
	const fail = ({ queued, error }: Failed) => notify(queued ? queuedNotice(queued) : { type: 'failed', message: error.message });
	const queues = new Map<SessionId, readonly QueuedPrompt[]>();
	let opened: SessionId | null = null;

	deps.stream.onQueue(({ sessionId, prompts }) => {
		if (prompts.length === 0) queues.delete(sessionId);
		else queues.set(sessionId, prompts);
		deps.onChange({ queues: new Map(queues) });
	});

	async function open(id: SessionId): Promise<void> {
		if (opened !== id) deps.onChange({ driving: null, models: [] });
		opened = id;
		const described = await api.record.session({ id });
		// Another session may be open by now.
		if (!described.ok || opened !== id) return;
		deps.onChange({ driving: described.value.driving });
		const models = described.value.driving.takesPrompts ? await api.settings.models({ id }) : undefined;
		if (models?.ok && opened === id) deps.onChange({ models: models.value });
	}

	function openPast(): void {
		opened = null;
		deps.onChange({ driving: { takesPrompts: false, why: ONLY_READ }, models: [] });
	}

	/** Another runner may have other agents. */
	async function readAgents(): Promise<void> {
		const listed = await api.agents.list();
		if (!listed.ok) return;
		deps.onChange({ agents: listed.value.filter(isHere).map(({ id, guardProof }) => ({ id, guard: guardWords(guardProof) })) });
	}

	async function report(work: Promise<Reply<unknown>>): Promise<void> {
		const result = await work;
		if (!result.ok) fail(result);
	}

	async function prompt(id: SessionId, text: string): Promise<void> {
		const taken = await api.sessions.message({ commandId: newId(), id, text });
		if (!taken.ok && taken.queued) fail(taken);
		else if (!taken.ok) notify({ type: 'prompt-failed', message: taken.error.message });
		else if (taken.value.queued) notify({ type: 'prompt-queued' });
	}

	async function show(work: Promise<Reply<DrivenSession>>): Promise<void> {
		const result = await work;
		if (!result.ok) return fail(result);
		deps.onSession(result.value.sessionId);
	}

	async function takeBack(id: SessionId): Promise<void> {
		const result = await api.settings.switchMode({ commandId: newId(), id, mode: 'sdk' });
		if (!result.ok) return fail(result);
		notify({ type: 'taken-back', id });
		if (opened === id) await open(id);
	}

	async function archive(id: SessionId, archived: boolean): Promise<void> {
		const result = await api.sessions.archive({ commandId: newId(), id, archived });
		if (!result.ok) return fail(result);
		notify({ type: 'archived', id, archived });
	}

	return {
		open,
		openPast,
		async renew() {
			queues.clear();
			deps.onChange({ queues: new Map() });
			await Promise.all([readAgents(), opened ? open(opened) : undefined]);
		},
		perform(wish) {
			switch (wish.type) {
				case 'prompt':
					return prompt(wish.id, wish.text);
				case 'interrupt':
					return report(api.sessions.interrupt({ commandId: newId(), id: wish.id }));
				case 'edit-queued':
					return report(api.queue.edit({ commandId: newId(), id: wish.id, promptId: wish.prompt, text: wish.text }));
				case 'cancel-queued':
					return report(api.queue.cancel({ commandId: newId(), id: wish.id, promptId: wish.prompt }));
				case 'move-queued':
					return report(api.queue.move({ commandId: newId(), id: wish.id, promptId: wish.prompt, to: wish.to }));
				case 'send-now':
					return report(api.queue.sendNow({ commandId: newId(), id: wish.id, promptId: wish.prompt }));
				case 'resume-session':
					return show(api.sessions.resume({ commandId: newId(), id: wish.id }));
				case 'fork-session':
					return show(api.sessions.fork({ commandId: newId(), id: wish.id, upTo: wish.upTo }));
				case 'take-back':
					return takeBack(wish.id);
				case 'end-session':
					return report(api.sessions.end({ commandId: newId(), id: wish.id }));
				case 'adjust-session':
					return report(
						api.settings.change({ commandId: newId(), id: wish.id, model: wish.model, permissionMode: wish.permissionMode }),
					);
				case 'rename-session':
					return report(api.sessions.rename({ commandId: newId(), id: wish.id, title: wish.title }));
				case 'archive-session':
					return archive(wish.id, wish.archived);
				case 'resume-past': {
					const { agent, nativeId } = wish.session;
					return show(api.sessions.create({ commandId: newId(), projectId: deps.project.path, agent, resume: { nativeId } }));
				}
				case 'new-session':
					return show(
						api.sessions.create({ commandId: newId(), projectId: deps.project.path, agent: wish.agent, prompt: wish.prompt }),
					);
				default:
					return assertNever(wish);
			}
		},
	};
}

const ONLY_READ = 'This past session is read-only. Type :resume to continue it.';
