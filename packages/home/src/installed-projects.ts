// The projects with installed hooks: one small file each in Roost's home, named by the digest of the project's secret.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_AGENT, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import { hasCode } from '@roost/machine/error-code';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Home } from './home.ts';

const installedProject = z.object({
	path: z.string().min(1),
	/** Records of earlier versions name none. */
	agent: z.enum(OBSERVED_IDS).default(DEFAULT_AGENT),
});
export type InstalledProject = z.infer<typeof installedProject>;

export type InstalledProjects = {
	/** Reads the file each time, so that an install or uninstall takes effect at once. */
	find(digest: string): InstalledProject | undefined;
	list(): InstalledProject[];
	/** Replaces an entry of the same project and agent under another digest. */
	add(digest: string, project: InstalledProject): Result<void>;
	remove(project: Pick<InstalledProject, 'path' | 'agent'>): void;
};

const NAME = /^[0-9a-f]{64}\.json$/;

/** The secrets are here too. */
export function installedDir(home: Pick<Home, 'data'>): string {
	return join(home.data, 'hooks');
}

export function createInstalledProjects(dir: string): InstalledProjects {
	const read = (name: string): InstalledProject | undefined =>
		NAME.test(name) ? installedProject.safeParse(readPrivateJson(join(dir, name))).data : undefined;
	const entries = () =>
		listDir(dir).flatMap((name) => {
			const project = read(name);
			return project ? [{ name, project }] : [];
		});
	const remove: InstalledProjects['remove'] = ({ path, agent }) => {
		for (const { name, project } of entries())
			if (project.path === path && project.agent === agent) rmSync(join(dir, name), { force: true });
	};
	return {
		find: (digest) => read(`${digest}.json`),
		list: () => entries().map(({ project }) => project),
		add(digest, project) {
			remove(project);
			return replacePrivateFile(join(dir, `${digest}.json`), `${JSON.stringify(project)}\n`);
		},
		remove,
	};
}

function listDir(dir: string): string[] {
	try {
		return readdirSync(dir);
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return [];
		throw cause;
	}
}
