// The files that make an agent report by itself: a project's own settings for Claude, those of its user for the others.
import { type Applied, applySettingsEdit } from '@roost/agents/claude/install/apply-install';
import { buildInstalledHooks, MARKER } from '@roost/agents/claude/install/installed-hooks';
import { type InstalledStatus, readInstalledStatus } from '@roost/agents/claude/install/installed-status';
import { planInstall, planUninstall } from '@roost/agents/claude/install/plan-install';
import { readSettings } from '@roost/agents/claude/install/read-settings';
import { SETTINGS_PATH } from '@roost/agents/claude/install/settings-path';
import { unifiedDiff } from '@roost/agents/claude/install/unified-diff';
import { CODEX_USER_HOOKS } from '@roost/agents/codex/install/user-hooks';
import { COPILOT_USER_HOOKS } from '@roost/agents/copilot/install/user-hooks';
import { applyFileEdits } from '@roost/agents/install/apply-edits';
import type { UserHooks, UserHooksPlace } from '@roost/agents/install/user-hooks';
import { PI_USER_HOOKS } from '@roost/agents/pi/install/user-hooks';
import type { HooksAgent } from '@roost/home/installed-projects';
import { ok, type Result } from '@roost/protocol/result';

export type HookFiles = {
	/** What would be written to install the hooks, or to remove them; nothing is written yet. */
	plan(isWanted: boolean): Promise<Result<HooksPlan>>;
	status(): Promise<Result<InstalledStatus>>;
};

export type HooksPlan = {
	changed: boolean;
	/** What is added where, as the beginning of a sentence. */
	summary: string;
	diff: string;
	apply(): Promise<Result<Applied>>;
};

export type HookFilesPlace = Omit<UserHooksPlace, 'folder'> & {
	project: string;
	/** There from installing to uninstalling. */
	secretFile: string;
	env: NodeJS.ProcessEnv;
};

const USER_HOOKS: Readonly<Record<Exclude<HooksAgent, 'claude'>, UserHooks>> = {
	codex: CODEX_USER_HOOKS,
	copilot: COPILOT_USER_HOOKS,
	pi: PI_USER_HOOKS,
};

export function openHookFiles(agent: HooksAgent, place: HookFilesPlace): HookFiles {
	return agent === 'claude' ? openProjectFiles(place) : openUserFiles(USER_HOOKS[agent], place);
}

function openProjectFiles(place: HookFilesPlace): HookFiles {
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

function openUserFiles(hooks: UserHooks, given: HookFilesPlace): HookFiles {
	const folder = hooks.folder(given.env);
	const place = { ...given, folder };
	return {
		async plan(isWanted) {
			const plan = await hooks.plan(place, isWanted);
			if (!plan.ok) return plan;
			const { edits, summary } = plan.value;
			return ok({
				changed: edits.length > 0,
				summary,
				diff: edits
					.filter(({ isBackup }) => !isBackup)
					.map(({ path, before, after }) => unifiedDiff(path, before, after))
					.join(''),
				async apply() {
					const applied = await applyFileEdits(folder, edits);
					return applied.ok ? ok({ warnings: [] }) : applied;
				},
			});
		},
		async status() {
			const plan = await hooks.plan(place, true);
			if (!plan.ok) return plan;
			const drifts = plan.value.edits.map(({ path }) => `${path} is not as this version installs it`);
			return ok(drifts.length === 0 ? { state: 'installed' } : { state: 'drifted', drifts });
		},
	};
}
