// Sessions of projects with installed hooks: each native session gets one of Roost's own, and is only observed.
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { FindProject } from '@roost/agents/hooks/hook-targets';
import { findKind } from '@roost/agents/kinds';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { InstalledProject, InstalledProjects } from '@roost/home/installed-projects';
import { findProject } from '@roost/home/project';
import { newSessionId } from '@roost/home/short-id';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Engine } from '../engine/engine.ts';
import type { Project, Projects } from '../record/projects.ts';
import { createBindings, isSessionStart } from './bindings.ts';
import { routeLaunch } from './route-launch.ts';

export type InstalledSessions = AsyncDisposable & { findProject: FindProject };

export type InstalledSessionsDeps = {
	engine: Engine;
	installed: Pick<InstalledProjects, 'find'>;
	identify: Projects['identify'];
	/** Whether a launch of Roost's own reports this session already. */
	isLaunched: (nativeId: string) => boolean;
	now: () => number;
	log: (sentence: string) => void;
};

export function createInstalledSessions(deps: InstalledSessionsDeps): InstalledSessions {
	const unread = new Set<Promise<unknown>>();
	/** Recent ones: a session that starts again may not be on disk yet. */
	const recent = new Map<string, SessionId>();

	function idFor(nativeId: string): SessionId {
		const id = recent.get(nativeId) ?? newSessionId();
		recent.delete(nativeId);
		recent.set(nativeId, id);
		const [oldest] = recent.keys();
		if (recent.size > MOST_REMEMBERED && oldest !== undefined) recent.delete(oldest);
		return id;
	}

	function listen(installed: InstalledProject, nativeId: string, runtime: Runtime): Disposable {
		const project = deps.identify(installed.path);
		const bindings = createBindings({
			holders: deps.engine.holders,
			// Reports of a launch or a driven session take precedence.
			holder: { isAlive: () => false },
			first: idFor(nativeId),
			newSessionId,
			mayClaim: (event, row) => isSessionStart(event) || isOpen(row),
		});
		const admitted = receiveInOrder(runtime, {
			admit: (event) => admit(deps, project, nativeId, event.context.cwd),
			isWanted: (event) => !deps.isLaunched(nativeId) && bindings.refusalOf(event) === undefined,
			track(received) {
				unread.add(received);
				void received.finally(() => unread.delete(received));
			},
		});
		return routeLaunch({
			engine: deps.engine,
			bindings,
			runtime: admitted,
			project,
			gate: 'observe',
			now: deps.now,
			onProblem: deps.log,
		});
	}

	return {
		findProject(digest) {
			const project = deps.installed.find(digest);
			const protocol = project && findKind(project.agent)?.observed?.protocol;
			return protocol && { protocol, openSession: (nativeId, runtime) => listen(project, nativeId, runtime) };
		},
		async [Symbol.asyncDispose]() {
			await Promise.all(unread);
		},
	};
}

const MOST_REMEMBERED = 1_000;

type Hearing = {
	/** Checked once, with the first report. */
	admit: (first: RuntimeEvent) => Promise<boolean>;
	isWanted: (event: RuntimeEvent) => boolean;
	track: (received: Promise<unknown>) => void;
};

/** The same runtime, connected once its first report is admitted. No agent is delayed: such a runtime has already answered. */
function receiveInOrder(runtime: Runtime, { admit, isWanted, track }: Hearing): Runtime {
	return {
		...runtime,
		onEvent(handler) {
			let order: Promise<boolean> | undefined;
			return runtime.onEvent((event) => {
				order = (order ?? admit(event)).then((admitted) => {
					if (admitted && isWanted(event)) handler(event);
					return admitted;
				});
				track(order);
			});
		},
	};
}

/** A secret reports only for its own project: neither into sessions of another project, nor from its directories. */
async function admit(deps: InstalledSessionsDeps, project: Project, nativeId: string, cwd: string): Promise<boolean> {
	const { holders } = deps.engine;
	const id = holders.sessionOf(nativeId);
	const known = id && holders.rowOf(id);
	const admitted = known ? known.projectId === project.id : await belongsTo(project, cwd);
	if (!admitted) deps.log(`a session that is not of ${project.path} reported with its hooks, and was left off the record`);
	return admitted;
}

/** A session that ended, or that Roost drives, is resumed only by a SessionStart. */
function isOpen({ status, driven }: SessionRow): boolean {
	return status !== 'ended' && !driven;
}

/** In the project's directory, or in another worktree of the same repository. */
async function belongsTo(project: Project, cwd: string): Promise<boolean> {
	if (!cwd) return false;
	try {
		const real = await realpath(cwd);
		const isWithin = real === project.path || real.startsWith(`${project.path}${sep}`);
		return isWithin || (await findProject(real)).path === project.path;
	} catch {
		// There is no such directory.
		return false;
	}
}
