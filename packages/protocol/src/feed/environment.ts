// What changes around an agent: context, settings, files, worktrees, models, notices.
import { z } from 'zod';
import { feedKind } from './base.ts';

export const notification = feedKind(
	'notification',
	z.object({
		message: z.string(),
		title: z.string().optional(),
		notification_type: z.string().optional(),
		/** It says that the agent's own dialog is open, or no longer is. */
		own_dialog: z.boolean().optional(),
	}),
);

export const setup = feedKind('setup', z.object({ trigger: z.string() }));

export const compactPre = feedKind(
	'compact.pre',
	z.object({ trigger: z.enum(['manual', 'auto']), custom_instructions: z.string().optional() }),
);

export const compactPost = feedKind(
	'compact.post',
	z.object({ trigger: z.enum(['manual', 'auto']), compact_summary: z.string().optional() }),
);

const modelSwitch = z.object({
	from_model: z.string().optional(),
	to_model: z.string().optional(),
	source: z.string().optional(),
});

export const modelSwitchPre = feedKind('model.switch.pre', modelSwitch);
export const modelSwitchPost = feedKind('model.switch.post', modelSwitch);

export const configChange = feedKind('config.change', z.object({ source: z.string(), file_path: z.string().optional() }));

export const worktreeCreate = feedKind('worktree.create', z.object({ name: z.string() }));
export const worktreeRemove = feedKind('worktree.remove', z.object({ worktree_path: z.string() }));

export const instructionsLoaded = feedKind(
	'instructions.loaded',
	z.object({
		file_path: z.string(),
		memory_type: z.string().optional(),
		load_reason: z.string().optional(),
		trigger_file_path: z.string().optional(),
	}),
);

export const cwdChange = feedKind('cwd.change', z.object({ old_cwd: z.string(), new_cwd: z.string() }));

export const fileChange = feedKind('file.change', z.object({ file_path: z.string(), event: z.string().optional() }));

export const directoryAdd = feedKind('directory.add', z.object({ directory: z.string(), source: z.string().optional() }));
