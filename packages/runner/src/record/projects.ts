// The projects of this runner: finds the project of a folder, an ID or a path.
import { isAbsolute } from 'node:path';
import { findProjectOf } from '@roost/home/project';
import { AppError } from '@roost/protocol/app-error';
import { type ProjectId, projectId, type RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { toProjectId } from '@roost/store/project-id';
import type { Store } from '@roost/store/store';

export type Project = { id: ProjectId; path: string };

export type Projects = {
	at(folder: string): Promise<Result<Project>>;
	identify(path: string): Project;
	folderOf(ref: string): Result<string>;
	/** By path or project ID; a recorded project is found even if its folder is gone. */
	find(ref: string): Promise<Result<Project>>;
};

export function createProjects(deps: {
	store: Pick<Store, 'projects'>;
	runnerId: RunnerId;
	/** Projects of the last scan, which may not be on record. */
	discovered: () => readonly { projectId: ProjectId; path: string }[];
}): Projects {
	/** The recorded ID takes precedence: it survives a new runner ID. */
	function recorded(path: string): Project | undefined {
		const rows = deps.store.projects({ path });
		return rows.ok ? rows.value[0] : undefined;
	}

	function identify(path: string): Project {
		return { id: recorded(path)?.id ?? toProjectId(deps.runnerId, path), path };
	}

	async function at(folder: string): Promise<Result<Project>> {
		const found = await findProjectOf(folder);
		return found.ok ? ok(identify(found.value.path)) : found;
	}

	function folderOf(ref: string): Result<string> {
		if (isAbsolute(ref)) return ok(ref);
		const rows = deps.store.projects({ id: projectId.parse(ref) });
		if (!rows.ok) return rows;
		const path = rows.value[0]?.path ?? deps.discovered().find((found) => found.projectId === ref)?.path;
		if (path !== undefined) return ok(path);
		const problem = `Project "${ref}" not found. Use the absolute path of a folder in it, or an ID from GET /api/v1/projects.`;
		return err(new AppError('bad_request', problem));
	}

	return {
		at,
		identify,
		folderOf,
		async find(ref) {
			const folder = folderOf(ref);
			if (!folder.ok) return folder;
			return recorded(folder.value) === undefined ? await at(folder.value) : ok(identify(folder.value));
		},
	};
}
