// The hooks that Roost installs for Claude: in a project's own settings of this user.
import { ok } from '@roost/protocol/result';
import type { HookFiles, HookFilesPlace, HookInstall } from '../../install/hook-files.ts';
import { buildInstalledHooks, MARKER } from '../../install/installed-hooks.ts';
import { planInstall, planUninstall } from '../../install/plan-install.ts';
import { readSettings } from '../../install/read-settings.ts';
import { SETTINGS_PATH } from '../../install/settings-path.ts';
import { applySettingsEdit } from './apply-install.ts';
import { readInstalledStatus } from './installed-status.ts';

export const CLAUDE_HOOKS: HookInstall = { projectFile: SETTINGS_PATH, open };

function open(place: HookFilesPlace): HookFiles {
	const { project, secretFile } = place;
	const hooks = buildInstalledHooks(place);
	return {
		async plan(isWanted) {
			const texts = await readSettings(project);
			if (!texts.ok) return texts;
			const edit = isWanted ? planInstall(texts.value, hooks) : planUninstall(texts.value);
			if (!edit.ok) return edit;
			const { before, after, diff } = edit.value;
			return ok({
				changed: before !== after,
				summary: toSummary(diff),
				diff,
				apply: () => applySettingsEdit(project, edit.value),
			});
		},
		status: () => readInstalledStatus({ project, hooks, secretFile }),
	};
}

function toSummary(diff: string): string {
	const count = (sign: string) => diff.split('\n').filter((line) => line.startsWith(sign) && line.includes(MARKER)).length;
	const removed = count('-');
	return `Adds ${count('+')} hooks${removed > 0 ? `, removes ${removed}` : ''} in ${SETTINGS_PATH}`;
}
