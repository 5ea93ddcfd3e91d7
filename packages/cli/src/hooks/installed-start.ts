// How installed hooks start a runner where none is up: kept in Roost's home, so that no repository has a say in it.
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type RunnerStart, runnerStart } from '@roost/agents/hooks/start-runner';
import { runnerEnvironment } from '@roost/core/runtime/child-environment';
import { type Home, logPath } from '@roost/home/home';
import { installedDir } from '@roost/home/installed-projects';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import type { Result } from '@roost/protocol/result';

export type RunnerArgv = readonly [string, ...string[]];

export function startFilePath(home: Pick<Home, 'data'>): string {
	return join(installedDir(home), 'start.json');
}

export function writeStartFile(home: Pick<Home, 'data'>, argv: RunnerArgv, env: NodeJS.ProcessEnv): Result<void> {
	const start: RunnerStart = {
		argv: [...argv],
		env: keptEnvironment(env),
		cwd: home.data,
		log: logPath(home),
	};
	return replacePrivateFile(startFilePath(home), `${JSON.stringify(start)}\n`);
}

/** Null where it would start a runner. */
export function findStartProblem(home: Pick<Home, 'data'>): string | null {
	const path = startFilePath(home);
	const start = runnerStart.safeParse(readPrivateJson(path)).data;
	if (!start) return `${path} is missing or unreadable, so that no runner is started when a session begins`;
	const gone = start.argv.find((part) => isAbsolute(part) && !existsSync(part));
	return gone === undefined ? null : `${gone}, which starts the runner, is not there any more`;
}

const KEPT = /^(HOME|PATH|SHELL|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|ROOST_[A-Z_]+)$/;

function keptEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
	const kept = Object.entries(runnerEnvironment(env)).flatMap(([name, value]) =>
		value !== undefined && KEPT.test(name) ? [[name, value] as const] : [],
	);
	return Object.fromEntries(kept);
}
