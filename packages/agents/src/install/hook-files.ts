// The files that make an agent report by itself wherever it is started: a project's own settings, or those of its user.
import { ok, type Result } from '@roost/protocol/result';
import { applyFileEdits } from './apply-edits.ts';
import { unifiedDiff } from './unified-diff.ts';
import type { UserHooks, UserHooksPlace } from './user-hooks.ts';

export type HookInstall = {
	/** The file of a project that is changed; null where files of the user's serve every project, and report from those installed. */
	readonly projectFile: string | null;
	open(place: HookFilesPlace): HookFiles;
};

export type HookFilesPlace = Omit<UserHooksPlace, 'folder'> & {
	project: string;
	/** There from installing to uninstalling. */
	secretFile: string;
	env: NodeJS.ProcessEnv;
};

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

/** One sentence per warning, for the user. */
export type Applied = { warnings: string[] };

export type InstalledStatus = { state: 'none' | 'installed' } | { state: 'drifted'; drifts: string[] };

export function userHookInstall(hooks: UserHooks): HookInstall {
	return { projectFile: null, open: (place) => openUserFiles(hooks, place) };
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
