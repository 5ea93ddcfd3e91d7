// roost projects: the projects on this machine, the past sessions of each, and one of those opened to be read or gone on with.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiClient } from '@roost/client/api-client';
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { FoundProject, PastSession, PastSessionList, ProjectList, ProjectProblem } from '@roost/protocol/api/projects';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { fail } from '../output/exit.ts';
import { isPrinted, styleFor, toFeedText } from '../output/feed-line.ts';
import { calledAs } from '../output/launcher.ts';
import { pickOne } from '../output/parse-input.ts';
import { startProgress } from '../output/progress.ts';
import { toTable } from '../output/table.ts';
import { write } from '../output/write.ts';
import { type Connected, connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';

const LOOK_EVERY_MS = 150;
const SHORT_ID = 8;
/** Younger than that it is as good as a new look. */
const STALE_MS = 60_000;

export async function projects(options: { scan?: boolean; json?: boolean }): Promise<void> {
	const connected = await connectOrStart();
	if (!connected.ok) return fail(connected.error, options);
	const listed = await listProjects(connected.value.api, options.scan === true);
	if (!listed.ok) return fail(listed.error, options);
	if (options.json) {
		const { scanning: _, ...found } = listed.value;
		return await write(process.stdout, [JSON.stringify(found)]);
	}
	const { projects: found, problems, scannedAt } = listed.value;
	const now = Date.now();
	if (found.length === 0) await write(process.stdout, [NO_PROJECTS]);
	else
		await write(process.stdout, [
			toTable(
				COLUMNS,
				found.map((project) => toRow(project, now)),
			),
		]);
	await tellProblems(problems);
	if (scannedAt !== null && now - scannedAt > STALE_MS) {
		await write(process.stderr, [`As of ${age(scannedAt, now)} ago; "roost projects --scan" looks again.`]);
	}
}

export async function showProject(given: string | undefined, options: { json?: boolean }): Promise<void> {
	const found = await reachProject(given);
	if (!found.ok) return fail(found.error, options);
	const { project, past } = found.value;
	if (options.json) return await write(process.stdout, [JSON.stringify({ project, ...past })]);
	const now = Date.now();
	const sessions = past.sessions.map((session) => toSessionRow(session, now));
	await write(process.stdout, [
		toTable(['PROJECT', project.id], describe(project, now)),
		'',
		...(sessions.length > 0 ? [toTable(SESSION_COLUMNS, sessions), '', ...hints(project)] : ['No past session.']),
	]);
	await tellProblems(past.problems);
}

export async function openPastSession(
	given: string,
	session: string,
	options: { verbose?: boolean; json?: boolean },
): Promise<void> {
	const found = await reachProject(given);
	if (!found.ok) return fail(found.error, options);
	const { api, project, past } = found.value;
	const picked = pickOne(past.sessions, session, ({ nativeId }) => [nativeId], 'past session of this project');
	if (!picked.ok) return fail(picked.error, options);
	const style = styleFor(process.stdout, process.env);
	for (let after = 0, more = true; more; ) {
		const page = await api.projects.events({ id: project.id, nativeId: picked.value.nativeId, after, limit: 500 });
		if (!page.ok) return fail(page.error, options);
		const lines = page.value.events.flatMap((line) => {
			if (options.json) return [JSON.stringify(line)];
			return options.verbose || isPrinted(line.event) ? [toFeedText(line.event, style)] : [];
		});
		await write(process.stdout, lines);
		after = page.value.events.at(-1)?.offset ?? after;
		more = page.value.more && page.value.events.length > 0;
	}
}

/** Roost drives it from now on, so not for an agent that Roost governs. */
export async function resumePastSession(given: string, session: string, options: { json?: boolean }): Promise<void> {
	const found = await reachProject(given, await connectOrStartToDecide('projects resume'));
	if (!found.ok) return fail(found.error, options);
	const { api, project, past } = found.value;
	const picked = pickOne(past.sessions, session, ({ nativeId }) => [nativeId], 'past session of this project');
	if (!picked.ok) return fail(picked.error, options);
	const { agent, nativeId, cwd } = picked.value;
	const resumed = await api.sessions.create({
		commandId: crypto.randomUUID(),
		projectId: project.projectId,
		agent,
		resume: { nativeId },
	});
	if (!resumed.ok) return fail(resumed.error, options);
	const { sessionId } = resumed.value;
	if (options.json) return await write(process.stdout, [JSON.stringify(resumed.value)]);
	await write(process.stdout, [
		`Resumed as session ${sessionId} in ${toShortPath(sanitiseLine(cwd))}.`,
		`Write to it with "${calledAs()} run --resume ${sessionId} <prompt>", or in "${calledAs()}" with the i key.`,
	]);
}

/** A new look where one is wished or nobody ever looked; one that is under way is waited for. */
async function listProjects(api: ApiClient, again: boolean): Promise<Result<ProjectList>> {
	let listed = await api.projects.list();
	if (listed.ok && (again || listed.value.scannedAt === null)) listed = await api.projects.scan();
	using progress = startProgress(process.stderr, 'Looking for projects');
	while (listed.ok && listed.value.scanning) {
		progress.tell(listed.value.scanning);
		await wait(LOOK_EVERY_MS);
		listed = await api.projects.list();
	}
	return listed;
}

type Reached = { api: ApiClient; project: FoundProject; past: PastSessionList };

async function reachProject(given: string | undefined, reached?: Result<Connected>): Promise<Result<Reached>> {
	const connected = reached ?? (await connectOrStart());
	if (!connected.ok) return connected;
	const { api } = connected.value;
	const listed = await listProjects(api, false);
	if (!listed.ok) return listed;
	const project = await findIn(listed.value.projects, given);
	if (!project.ok) return project;
	const past = await api.projects.sessions({ id: project.value.id });
	return past.ok ? ok({ api, project: project.value, past: past.value }) : past;
}

/** By id, by name, or by any folder inside it; without a word, the project of this folder. */
async function findIn(found: readonly FoundProject[], given = '.'): Promise<Result<FoundProject>> {
	const { findProjectOf } = await import('@roost/home/project');
	const here = await findProjectOf(resolve(given));
	const project = here.ok && found.find(({ path }) => path === here.value.path);
	if (project) return ok(project);
	if (given !== '.') return pickOne(found, given, ({ id, name }) => [id, name], 'project');
	const hint = 'add its parent to projects.roots in config.yaml, or work in it once, then run "roost projects --scan"';
	return err(new AppError('not_found', `This folder is not among the projects that were found: ${hint}.`));
}

const NO_PROJECTS =
	'No project found. Name folders that hold your projects as projects.roots in config.yaml, then run "roost projects --scan".';

const COLUMNS = ['PROJECT', 'NAME', 'BRANCH', 'CHANGES', 'SESSIONS', 'AGE', 'PATH'];
const SESSION_COLUMNS = ['SESSION', 'AGE', 'MESSAGES', 'TOKENS', 'RESUMABLE', 'TITLE'];

function toRow(project: FoundProject, now: number): string[] {
	const { id, name, gitBranch = '-', isDirty, pastSessions, lastActivity, path } = project;
	const changes = isDirty ? 'yes' : '-';
	return [id.slice(0, SHORT_ID), name, gitBranch, changes, String(pastSessions), age(lastActivity, now), toShortPath(path)];
}

function toSessionRow(session: PastSession, now: number): string[] {
	const { nativeId, lastActivity, messages, tokens, resumable, title } = session;
	const used = tokens.input_tokens + tokens.output_tokens + tokens.cache_read_tokens + tokens.cache_write_tokens;
	const may = resumable ? 'yes' : 'no';
	return [nativeId.slice(0, SHORT_ID), age(lastActivity, now), String(messages), COMPACT.format(used), may, title];
}

function describe(project: FoundProject, now: number): string[][] {
	return [
		['name', project.name],
		['path', project.path],
		['remote', project.gitRemote ?? '-'],
		['branch', project.gitBranch ?? '-'],
		['changes', project.isDirty ? 'uncommitted' : 'none'],
		['claude', project.hasClaudeConfig ? 'has a .claude folder' : 'no .claude folder'],
		['active', `${age(project.lastActivity, now)} ago`],
	];
}

function hints({ id }: FoundProject): string[] {
	const command = (name: string) => `"${calledAs()} projects ${name} ${id.slice(0, SHORT_ID)} <session>"`;
	return [`Read one with ${command('open')}; resume one with ${command('resume')}.`];
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function toShortPath(path: string): string {
	const home = `${homedir()}/`;
	return path.startsWith(home) ? `~/${path.slice(home.length)}` : path;
}

async function tellProblems(problems: readonly ProjectProblem[]): Promise<void> {
	if (problems.length === 0) return;
	const shown = problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => [toShortPath(path), message]);
	const left = problems.length - shown.length;
	await write(process.stderr, [
		'',
		toTable(['NOT READ', 'WHY'], shown),
		...(left > 0 ? [`and ${left} more (--json has all)`] : []),
	]);
}

const MOST_PROBLEMS = 5;
