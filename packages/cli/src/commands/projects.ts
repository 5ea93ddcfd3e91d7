// roost projects: lists projects, and lists, prints and resumes their past sessions.
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiClient } from '@roost/client/api-client';
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { FoundProject, PastSession, PastSessionList, ProjectList, ProjectProblem } from '@roost/protocol/api/projects';
import { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { isPrinted, styleFor, toFeedText } from '../output/feed-line.ts';
import { calledAs } from '../output/launcher.ts';
import { pickOne } from '../output/parse-input.ts';
import { print, write } from '../output/print.ts';
import { startProgress } from '../output/progress.ts';
import { toShortPath, toTable } from '../output/table.ts';
import { connectOrStart, connectOrStartToDecide } from '../runner/connect.ts';
import type { Connected } from '../transport/connected.ts';

const LOOK_EVERY_MS = 150;
const SHORT_ID = 8;
/** An older list is reported as such. */
const STALE_MS = 60_000;

export async function projects(options: { scan?: boolean; json?: boolean }): Promise<void> {
	const connected = unwrap(await connectOrStart());
	const listed = unwrap(await listProjects(connected.api, options.scan === true));
	const { scanning: _, ...json } = listed;
	const { projects: found, problems, scannedAt } = listed;
	const now = Date.now();
	const rows = found.map((project) => toRow(project, now));
	await print(options, json, [rows.length === 0 ? NO_PROJECTS : toTable(COLUMNS, rows)]);
	if (options.json) return;
	await reportProblems(problems);
	if (scannedAt !== null && now - scannedAt > STALE_MS) {
		await write(process.stderr, [`As of ${age(scannedAt, now)} ago; "roost projects --scan" scans again.`]);
	}
}

export async function showProject(given: string | undefined, options: { json?: boolean }): Promise<void> {
	const { project, past } = await reachProject(given);
	const now = Date.now();
	const sessions = past.sessions.map((session) => toSessionRow(session, now));
	await print(options, { project, ...past }, [
		toTable(['PROJECT', project.id], describe(project, now)),
		'',
		...(sessions.length > 0 ? [toTable(SESSION_COLUMNS, sessions), '', ...hints(project)] : ['No past session.']),
	]);
	if (!options.json) await reportProblems(past.problems);
}

export async function openPastSession(
	given: string,
	session: string,
	options: { verbose?: boolean; json?: boolean },
): Promise<void> {
	const { api, project, past } = await reachProject(given);
	const picked = pickPast(past, session);
	const style = styleFor(process.stdout, process.env);
	for (let after = 0, more = true; more; ) {
		const page = unwrap(await api.projects.events({ id: project.id, nativeId: picked.nativeId, after, limit: 500 }));
		const lines = page.events.flatMap((line) => {
			if (options.json) return [JSON.stringify(line)];
			return options.verbose || isPrinted(line.event) ? [toFeedText(line.event, style)] : [];
		});
		await write(process.stdout, lines);
		after = page.events.at(-1)?.offset ?? after;
		more = page.more && page.events.length > 0;
	}
}

/** Roost drives it from now on, so an agent may not. */
export async function resumePastSession(given: string, session: string, options: { json?: boolean }): Promise<void> {
	const { api, project, past } = await reachProject(given, unwrap(await connectOrStartToDecide('projects resume')));
	const { agent, nativeId, cwd } = pickPast(past, session);
	const body = { commandId: crypto.randomUUID(), projectId: project.projectId, agent, resume: { nativeId } };
	const resumed = unwrap(await api.sessions.create(body));
	const { sessionId } = resumed;
	await print(options, resumed, [
		`Resumed as session ${sessionId} in ${toShortPath(sanitiseLine(cwd))}.`,
		`Write to it with "${calledAs()} run --resume ${sessionId} <prompt>", or in "${calledAs()}" with the i key.`,
	]);
}

/** Scans if asked to, or if no scan was made yet; waits for a scan that is running. */
async function listProjects(api: ApiClient, again: boolean): Promise<Result<ProjectList>> {
	let listed = await api.projects.list();
	if (listed.ok && (again || listed.value.scannedAt === null)) listed = await api.projects.scan();
	using progress = startProgress(process.stderr, 'Scanning for projects');
	while (listed.ok && listed.value.scanning) {
		progress.update(listed.value.scanning);
		await wait(LOOK_EVERY_MS);
		listed = await api.projects.list();
	}
	return listed;
}

type Reached = { api: ApiClient; project: FoundProject; past: PastSessionList };

async function reachProject(given: string | undefined, reached?: Connected): Promise<Reached> {
	const { api } = reached ?? unwrap(await connectOrStart());
	const listed = unwrap(await listProjects(api, false));
	const project = await findIn(listed.projects, given);
	const past = unwrap(await api.projects.sessions({ id: project.id }));
	return { api, project, past };
}

function pickPast({ sessions }: PastSessionList, given: string): PastSession {
	return unwrap(pickOne(sessions, given, ({ nativeId }) => [nativeId], 'past session of this project'));
}

/** By ID, by name, or by any folder in it; by default the project of this folder. */
async function findIn(found: readonly FoundProject[], given = '.'): Promise<FoundProject> {
	const { findProjectOf } = await import('@roost/home/project');
	const here = await findProjectOf(resolve(given));
	const project = here.ok && found.find(({ path }) => path === here.value.path);
	if (project) return project;
	if (given !== '.') return unwrap(pickOne(found, given, ({ id, name }) => [id, name], 'project'));
	const hint = 'Add its parent to projects.roots in config.yaml, or work in it once, then run "roost projects --scan"';
	throw new AppError('not_found', `This folder is not a known project. ${hint}.`);
}

const NO_PROJECTS =
	'No project found. Add the folders that contain your projects to projects.roots in config.yaml, then run "roost projects --scan".';

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

async function reportProblems(problems: readonly ProjectProblem[]): Promise<void> {
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
