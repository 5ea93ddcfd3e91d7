// What changes around an agent. None of it is work: it may happen outside any run.
import { type HookMappings, lifecycle } from './draft.ts';
import { SYSTEM } from './entities.ts';

export const environmentHooks: HookMappings<
	| 'Notification'
	| 'PreCompact'
	| 'PostCompact'
	| 'PreModelSwitch'
	| 'PostModelSwitch'
	| 'Elicitation'
	| 'ElicitationResult'
	| 'ConfigChange'
	| 'WorktreeCreate'
	| 'WorktreeRemove'
	| 'InstructionsLoaded'
	| 'CwdChanged'
	| 'FileChanged'
	| 'DirectoryAdded'
> = {
	Notification: lifecycle(({ event }, { message, title, notification_type }) => [
		{
			kind: 'notification',
			actor_id: SYSTEM,
			data: {
				message,
				title: title ?? undefined,
				notification_type: notification_type ?? undefined,
				own_dialog: event.interaction.ownDialog ? true : undefined,
			},
		},
	]),

	PreCompact: lifecycle((_, { trigger, custom_instructions }) => [
		{ kind: 'compact.pre', actor_id: SYSTEM, data: { trigger, custom_instructions: custom_instructions ?? undefined } },
	]),

	PostCompact: lifecycle((_, { trigger, compact_summary }) => [
		{ kind: 'compact.post', actor_id: SYSTEM, data: { trigger, compact_summary: compact_summary ?? undefined } },
	]),

	PreModelSwitch: lifecycle((_, payload) => [{ kind: 'model.switch.pre', actor_id: SYSTEM, data: toModelSwitch(payload) }]),

	PostModelSwitch: lifecycle((_, payload) => [{ kind: 'model.switch.post', actor_id: SYSTEM, data: toModelSwitch(payload) }]),

	Elicitation: lifecycle((_, { mcp_server_name, message, mode, requested_schema }) => [
		{
			kind: 'elicitation.request',
			actor_id: SYSTEM,
			data: { mcp_server_name, message, mode: mode ?? undefined, requested_schema },
		},
	]),

	ElicitationResult: lifecycle((_, { mcp_server_name, action, mode, content }) => [
		{ kind: 'elicitation.result', actor_id: SYSTEM, data: { mcp_server_name, action, mode: mode ?? undefined, content } },
	]),

	ConfigChange: lifecycle((_, { source, file_path }) => [
		{ kind: 'config.change', actor_id: SYSTEM, data: { source, file_path: file_path ?? undefined } },
	]),

	WorktreeCreate: lifecycle((_, { name }) => [{ kind: 'worktree.create', actor_id: SYSTEM, data: { name } }]),

	WorktreeRemove: lifecycle((_, { worktree_path }) => [{ kind: 'worktree.remove', actor_id: SYSTEM, data: { worktree_path } }]),

	InstructionsLoaded: lifecycle((_, payload) => [
		{
			kind: 'instructions.loaded',
			actor_id: SYSTEM,
			data: {
				file_path: payload.file_path,
				memory_type: payload.memory_type ?? undefined,
				load_reason: payload.load_reason ?? undefined,
				trigger_file_path: payload.trigger_file_path ?? undefined,
			},
		},
	]),

	CwdChanged: lifecycle((_, { old_cwd, new_cwd }) => [{ kind: 'cwd.change', actor_id: SYSTEM, data: { old_cwd, new_cwd } }]),

	FileChanged: lifecycle((_, { file_path, event }) => [
		{ kind: 'file.change', actor_id: SYSTEM, data: { file_path, event: event ?? undefined } },
	]),

	DirectoryAdded: lifecycle((_, { directory, source }) => [
		{ kind: 'directory.add', actor_id: SYSTEM, data: { directory, source: source ?? undefined } },
	]),
};

type ModelSwitch = { from_model?: string | null; to_model?: string | null; source?: string | null };

function toModelSwitch({ from_model, to_model, source }: ModelSwitch) {
	return { from_model: from_model ?? undefined, to_model: to_model ?? undefined, source: source ?? undefined };
}
