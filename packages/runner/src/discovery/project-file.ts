// The projects that were found last, in a file, so that the next runner knows them at once.
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { foundProject, projectProblem } from '@roost/protocol/api/projects';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';

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
export function readProjects(path: string): KeptProjects | null {
	return keptProjects.safeParse(readPrivateJson(path, LARGEST_BYTES)).data ?? null;
}
