// Sessions and runs: where they begin and end.
import type { FeedData } from '@roost/protocol/feed/event';
import type { RunTrigger } from '@roost/protocol/feed/session';
import { type PromptId, promptId } from '@roost/protocol/ids';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { HookPayload } from '../runtime/normal-form/hook-payloads.ts';
import { type Draft, type DraftOf, type HookMappings, lifecycle, pick, system } from './draft.ts';
import { SYSTEM, USER } from './entities.ts';
import { plainWords } from './plain-words.ts';
import type { FeedState } from './state.ts';
import { toPreview } from './title.ts';

export const sessionHooks: HookMappings<'SessionStart' | 'SessionEnd' | 'UserPromptSubmit'> = {
	SessionStart: lifecycle(({ event, gate }, payload) => {
		const data = { ...pick(payload, 'source', 'model', 'agent_type'), gate: gate === 'enforce' ? gate : undefined };
		return [system('session.start', data, { transcript_path: event.context.transcriptPath || undefined })];
	}),

	SessionEnd: lifecycle(({ state }, { reason }) => [
		system('session.end', { reason }),
		...endRun(state, state.run?.inBackground ? 'completed' : 'aborted', endedEarly(reason)),
	]),

	// A prompt that finds the agent waiting for background tasks (they inject one when they end) finds a run whose
	// agent had stopped: that run is completed. Any other run still open ended in silence, as after Esc: aborted.
	UserPromptSubmit: lifecycle(({ state, event }, payload): Draft[] => {
		if (payload.steers && state.run) return [userPrompt(event, payload)];
		return [
			...(state.run?.inBackground
				? endRun(state, 'completed', 'the next prompt came while background tasks ran')
				: endRun(state, 'aborted', 'the next prompt came before the agent stopped')),
			...(payload.task_notification ? ownPrompt(event, payload.task_notification) : runOfPrompt(event, payload)),
		];
	}),
};

function endedEarly(reason: string): string {
	const why = plainWords('end', reason);
	return `the session ended before the agent stopped${why ? `: ${why}` : ''}`;
}

type Prompt = HookPayload<'UserPromptSubmit'>;

function runOfPrompt(event: RuntimeEvent, payload: Prompt): Draft[] {
	const { prompt, sent_as } = payload;
	const prompt_preview = toPreview(prompt);
	const trigger = { type: 'user_prompt_submit', request_id: event.id, prompt_preview, ...sentAs(sent_as) } as const;
	return [startRun(trigger), userPrompt(event, payload)];
}

function userPrompt({ context }: RuntimeEvent, { prompt, permission_mode, sent_as }: Prompt): Draft {
	return {
		kind: 'user.prompt',
		actor_id: USER,
		data: { prompt, cwd: context.cwd, permission_mode: permission_mode ?? context.permissionMode, ...sentAs(sent_as) },
	};
}

/** It starts a run like any prompt, but the user did not write it. */
function ownPrompt({ id }: RuntimeEvent, { message, tool_use_id }: NonNullable<Prompt['task_notification']>): Draft[] {
	return [
		startRun({ type: 'other', request_id: id, prompt_preview: toPreview(message) }),
		system('notification', { message, notification_type: 'task_notification' }, { tool_use_id: tool_use_id ?? undefined }),
	];
}

function sentAs(id: string | null | undefined): { prompt_id?: PromptId } {
	return id ? { prompt_id: promptId.parse(id) } : {};
}

export function startRun(trigger: RunTrigger): DraftOf<'run.start'> {
	return { kind: 'run.start', actor_id: trigger.type === 'user_prompt_submit' ? USER : SYSTEM, data: { trigger } };
}

/** Nothing where no run is open. */
export function endRun(
	state: FeedState,
	status: 'completed' | 'failed' | 'aborted',
	reason?: string,
	more: Pick<FeedData<'run.end'>, 'agent_gone'> = {},
): Draft[] {
	if (!state.run) return [];
	return [system('run.end', { status, counters: { ...state.run.counters }, reason, ...more })];
}
