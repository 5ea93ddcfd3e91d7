// The projects that were found last, in a file, so that the next runner knows them at once.
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { foundProject, projectProblem } from '@roost/protocol/api/projects';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Projects } from '../record/projects.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;

const keptProjects = z.object({
	scannedAt: z.number(),
	projects: z.array(foundProject),
	problems: z.array(projectProblem),
});
export type KeptProjects = z.infer<typeof keptProjects>;

export function keepProjects(path: string, kept: KeptProjects): Result<void> {
	return replacePrivateFile(path, `${JSON.stringify(kept)}\n`);
}

/** Null where there is none that can be read: the next scan makes it anew. */
export function readProjects(path: string, identify: Projects['identify']): KeptProjects | null {
	const kept = keptProjects.safeParse(readPrivateJson(path, LARGEST_BYTES)).data;
	// The file may be of an older Roost, where the path was the id.
	const projects = kept?.projects.map((project) => ({ ...project, projectId: identify(project.path).id }));
	return kept && projects ? { ...kept, projects } : null;
}
