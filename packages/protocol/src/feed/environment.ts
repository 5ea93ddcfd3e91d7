// Changes around an agent: context, settings, files, worktrees, models, notifications.
import { z } from 'zod';
import { feedKind } from './base.ts';

const modelSwitch = {
	from_model: z.string().optional(),
	to_model: z.string().optional(),
	source: z.string().optional(),
};
const trigger = z.enum(['manual', 'auto']);

export const environmentKinds = [
	feedKind('notification', {
		message: z.string(),
		title: z.string().optional(),
		notification_type: z.string().optional(),
		/** Whether the agent's own dialog is open, where the notification is about it. */
		own_dialog: z.boolean().optional(),
	}),
	feedKind('setup', { trigger: z.string() }),
	feedKind('compact.pre', { trigger, custom_instructions: z.string().optional() }),
	feedKind('compact.post', { trigger, compact_summary: z.string().optional() }),
	feedKind('model.switch.pre', modelSwitch),
	feedKind('model.switch.post', modelSwitch),
	feedKind('config.change', { source: z.string(), file_path: z.string().optional() }),
	feedKind('worktree.create', { name: z.string() }),
	feedKind('worktree.remove', { worktree_path: z.string() }),
	feedKind('instructions.loaded', {
		file_path: z.string(),
		memory_type: z.string().optional(),
		load_reason: z.string().optional(),
		trigger_file_path: z.string().optional(),
	}),
	feedKind('cwd.change', { old_cwd: z.string(), new_cwd: z.string() }),
	feedKind('file.change', { file_path: z.string(), event: z.string().optional() }),
	feedKind('directory.add', { directory: z.string(), source: z.string().optional() }),
] as const;
