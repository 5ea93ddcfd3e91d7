// The id of a project, derived from the runner's id and the project's path: stable, and different on every machine.
import { hash } from 'node:crypto';
import { type ProjectId, projectId } from '@roost/protocol/ids';

export function toProjectId(runner: string, path: string): ProjectId {
	return projectId.parse(`p${hash('sha256', `roost project\n${runner}\n${path}`).slice(0, 19)}`);
}

/** The current id of a project; facts from before schema version 8 name it by its path. */
export function currentProjectId(named: string, runner: string): ProjectId {
	return isProjectPath(named) ? toProjectId(runner, named) : projectId.parse(named);
}

/** An id is never an absolute path. */
export function isProjectPath(named: string): boolean {
	return named.startsWith('/');
}
