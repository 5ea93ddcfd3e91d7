// Discovery with all its parts: wiring only, nothing is decided here.
import { kindWith } from '@roost/agents/kinds';
import { createExclusion } from '@roost/core/projects/excluded';
import { createRedactor } from '@roost/core/redaction/redact';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { Home } from '@roost/home/home';
import { findProject } from '@roost/home/project';
import { runGit } from '@roost/machine/git';
import { sha256 } from '@roost/machine/sha256';
import { mustBeOpen } from '@roost/machine/stat-path';
import { summariseTranscript } from '../engine/summaries.ts';
import type { Projects } from '../record/projects.ts';
import { createPastEvents } from './past-events.ts';
import { createPastPlaces, createPastSessions } from './past-sessions.ts';
import { createProjectCatalog, type OpenProjectCatalog } from './project-catalog.ts';
import { scanProjects } from './scan-projects.ts';

export function openProjects({
	home,
	config,
	env,
	identify,
	warn,
}: {
	home: Pick<Home, 'projects'>;
	config: Pick<RunnerConfig, 'projects'>;
	env: NodeJS.ProcessEnv;
	identify: Projects['identify'];
	warn: (sentence: string) => void;
}): OpenProjectCatalog {
	const { roots, scanClaudeProjects, excludePatterns } = config.projects;
	const redactor = createRedactor(sha256);
	const { known, past } = kindWith('past');
	const nothing = async () => ({ placed: [], problems: [] });
	const pastPlaces = scanClaudeProjects ? createPastPlaces(known.id, past, env) : nothing;
	const scanning = { roots, isExcluded: createExclusion(excludePatterns), pastPlaces, git: runGit, mustBeOpen, identify };
	return createProjectCatalog({
		file: home.projects,
		scan: (options) => scanProjects(scanning, options),
		pastPlaces,
		projectOf: async (folder) => (await findProject(folder)).path,
		identify,
		listPastSessions: createPastSessions(past, redactor),
		pastEvents: createPastEvents({ redactor, summarise: summariseTranscript }),
		now: Date.now,
		warn,
	});
}
