// The id of a project, made of the runner's id and the project's path: the same whenever it is made, another on every other machine.
import { hash } from 'node:crypto';
import { type ProjectId, projectId } from '@roost/protocol/ids';

export function toProjectId(runner: string, path: string): ProjectId {
	return projectId.parse(`p${hash('sha256', `roost project\n${runner}\n${path}`).slice(0, 19)}`);
}

/** Facts are never edited, and those of before schema version 8 name a project by its path: this is the id it has now. */
export function currentProjectId(named: string, runner: string): ProjectId {
	return isProjectPath(named) ? toProjectId(runner, named) : projectId.parse(named);
}

/** An id is never an absolute path. */
export function isProjectPath(named: string): boolean {
	return named.startsWith('/');
}
