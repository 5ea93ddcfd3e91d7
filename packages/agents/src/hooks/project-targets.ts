// The projects whose hooks are installed, looked up anew for each report: installing and uninstalling take effect at once.
import type { HookTarget, TargetSource } from './hook-targets.ts';
import type { LaunchRuntime, LaunchWords } from './launch-runtime.ts';
import { createProjectTarget, type ProjectReports } from './project-target.ts';

/** The project that is known by this digest of its secret; undefined where none is installed (any more). */
export type FindProject = (digest: string) => ProjectReports | undefined;

export function createProjectTargets(find: FindProject, createRuntime: (words: LaunchWords) => LaunchRuntime): TargetSource {
	const byDigest = new Map<string, HookTarget>();

	function remove(digest: string): undefined {
		byDigest.get(digest)?.stop();
		byDigest.delete(digest);
	}

	function open(digest: string, project: ProjectReports): HookTarget {
		const target = byDigest.get(digest) ?? createProjectTarget(project, () => createRuntime(project.words));
		byDigest.set(digest, target);
		return target;
	}

	return {
		find(digest) {
			const project = find(digest);
			return project ? open(digest, project) : remove(digest);
		},
		stopAll() {
			for (const target of byDigest.values()) target.stop();
		},
	};
}
