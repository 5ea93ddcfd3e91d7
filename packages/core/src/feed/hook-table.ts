// From the name of a hook to its events in the feed. Reports that only copy their fields are here, and none of them is work.
import { type EventOf, RUNTIME_ERROR, RUNTIME_STATUS, USAGE_REPORT } from '../runtime/event.ts';
import type { HookName } from '../runtime/normal-form/hook-payloads.ts';
import { toUsageUpdate } from '../usage/prices.ts';
import { type Draft, type HookMappings, lifecycle, type MapContext, pick, system } from './draft.ts';
import { USER } from './entities.ts';
import { agentHooks } from './map-agents.ts';
import { sessionHooks } from './map-session.ts';
import { toolHooks } from './map-tools.ts';

const hookTable: HookMappings<HookName> = {
	...sessionHooks,
	...toolHooks,
	...agentHooks,
	Setup: lifecycle((_, payload) => [system('setup', pick(payload, 'trigger'))]),
	// It comes before the prompt that opens the run.
	UserPromptExpansion: lifecycle((_, payload) => {
		const data = pick(payload, 'expansion_type', 'command_name', 'command_args', 'command_source', 'prompt');
		return [{ kind: 'prompt.expansion', actor_id: USER, data }];
	}),
	TeammateIdle: lifecycle((_, payload) => [system('teammate.idle', pick(payload, 'teammate_name', 'team_name'))]),
	TaskCreated: lifecycle(({ actor }, payload) => [{ kind: 'task.created', actor_id: actor, data: pick(payload, ...TASK) }]),
	TaskCompleted: lifecycle(({ actor }, payload) => [{ kind: 'task.completed', actor_id: actor, data: pick(payload, ...TASK) }]),
	Notification: lifecycle(({ event }, payload) => {
		const own_dialog = event.interaction.ownDialog ? true : undefined;
		return [system('notification', { ...pick(payload, 'message', 'title', 'notification_type'), own_dialog })];
	}),
	PreCompact: lifecycle((_, payload) => [system('compact.pre', pick(payload, 'trigger', 'custom_instructions'))]),
	PostCompact: lifecycle((_, payload) => [system('compact.post', pick(payload, 'trigger', 'compact_summary'))]),
	PreModelSwitch: lifecycle((_, payload) => [system('model.switch.pre', pick(payload, 'from_model', 'to_model', 'source'))]),
	PostModelSwitch: lifecycle((_, payload) => [system('model.switch.post', pick(payload, 'from_model', 'to_model', 'source'))]),
	Elicitation: lifecycle((_, payload) => {
		const { requested_schema } = payload;
		return [system('elicitation.request', { ...pick(payload, 'mcp_server_name', 'message', 'mode'), requested_schema })];
	}),
	ElicitationResult: lifecycle((_, payload) => {
		const { content } = payload;
		return [system('elicitation.result', { ...pick(payload, 'mcp_server_name', 'action', 'mode'), content })];
	}),
	ConfigChange: lifecycle((_, payload) => [system('config.change', pick(payload, 'source', 'file_path'))]),
	WorktreeCreate: lifecycle((_, payload) => [system('worktree.create', pick(payload, 'name'))]),
	WorktreeRemove: lifecycle((_, payload) => [system('worktree.remove', pick(payload, 'worktree_path'))]),
	InstructionsLoaded: lifecycle((_, payload) => [
		system('instructions.loaded', pick(payload, 'file_path', 'memory_type', 'load_reason', 'trigger_file_path')),
	]),
	CwdChanged: lifecycle((_, payload) => [system('cwd.change', pick(payload, 'old_cwd', 'new_cwd'))]),
	FileChanged: lifecycle((_, payload) => [system('file.change', pick(payload, 'file_path', 'event'))]),
	DirectoryAdded: lifecycle((_, payload) => [system('directory.add', pick(payload, 'directory', 'source'))]),
	[RUNTIME_ERROR]: lifecycle((_, payload) => [system('runtime.error', pick(payload, 'code', 'message', 'detail'))]),
	[RUNTIME_STATUS]: lifecycle((_, payload) => [system('runtime.status', pick(payload, 'status', 'reason'))]),
	[USAGE_REPORT]: lifecycle((_, { by_model }) => [system('usage.update', toUsageUpdate(by_model))]),
};

const TASK = ['task_id', 'task_subject', 'task_description', 'teammate_name', 'team_name'] as const;

/** Whether it opens a run where there is none. */
export function isWork(hookName: HookName): boolean {
	return hookTable[hookName].isWork;
}

export function toDrafts<Name extends HookName>(context: MapContext, { hookName, payload }: EventOf<Name>): Draft[] {
	return hookTable[hookName].toDrafts(context, payload);
}
