// Every shape of secret is sent to a real runner in reports, transcripts and requests, and all its output is searched.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectList } from '@roost/protocol/api/projects';
import { expect, it } from 'vitest';
import { createSecretShapes, findLeaks, type SecretShape } from '../corpora/secret-shapes.ts';
import { createPastClaude, pastAnswer, pastCall, pastPrompt, pastResult } from '../rigs/agents/past-claude.ts';
import { sendRaw } from '../rigs/api/raw-http.ts';
import { openRawStream } from '../rigs/api/raw-stream.ts';
import { type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000003';
const SHAPES = createSecretShapes(23);

it('leaks no secret in sessions, search, export, streams, errors, metrics, log and files', {
	timeout: 240_000,
}, async () => {
	await using roost = await startRunnerProcess();
	await using stream = await openRawStream({ port: roost.port, headers: roost.bearer });
	stream.send({ type: 'subscribe-all', sub: 'all', after: null });
	const id = await reportAll(roost);
	await stream.frame('line', ({ line }) => line.event.kind === 'session.end');
	const shown = [
		...(await readAll(roost, ['/sessions', '/search?words=word&limit=200', '/asks', '/usage', '/overview', `/sessions/${id}`])),
		...(await runAll(roost, [
			['feed', id, '--json'],
			['feed', id],
			['export', id],
			['sessions', '--all'],
			['sessions', 'show', id],
		])),
		...(await runAll(roost, [['status'], ['search', 'word'], ['doctor'], ['verify']])),
		(await roost.call('GET', '/metrics')).body,
		...stream.texts,
		JSON.stringify(roost.program.output()),
		...filesBelow(roost.env.ROOST_HOME ?? ''),
	];
	expect(shown.filter((text) => text.includes('[redacted:')).length).toBeGreaterThan(SHAPES.length);
	expect(findLeaks(SHAPES, shown.join('\n'))).toEqual([]);
});

it('leaks no secret in past sessions', { timeout: 240_000 }, async () => {
	await using roost = await startRunnerProcess();
	const cwd = join(roost.folder, 'work');
	await mkdir(cwd);
	const past = await createPastClaude(join(roost.folder, '.claude'));
	const ids = await Promise.all(SHAPES.map((shape, at) => past.add({ cwd, lines: transcriptOf(shape, at) })));
	await roost.call('POST', '/api/v1/projects/scan');
	const project = await waitFor(() => findProject(roost, cwd), { what: 'the project' });
	const shown = await readAll(roost, [
		`/projects/${project}/sessions`,
		...ids.map((id) => `/projects/${project}/sessions/${id}/events`),
	]);
	shown.push(...(await runAll(roost, [['projects', 'show', cwd]])), ...filesBelow(roost.env.ROOST_HOME ?? ''));
	expect(shown.filter((text) => text.includes('[redacted:')).length).toBeGreaterThanOrEqual(SHAPES.length);
	expect(findLeaks(SHAPES, shown.join('\n'))).toEqual([]);
});

it('stores no secret of a rejected request', { timeout: 240_000 }, async () => {
	await using roost = await startRunnerProcess();
	for (const [at, { text }] of SHAPES.entries()) {
		const inPath = encodeURIComponent(text);
		const refused = await Promise.all([
			roost.call('GET', `/api/v1/sessions/${inPath}`),
			sendRaw({ port: roost.port, path: `/${inPath}`, headers: { authorization: `Bearer ${inPath}`, origin: inPath } }),
			...(at % 16 === 0 ? sendRefused(roost, text) : []),
		]);
		expect(refused.every(({ status }) => status >= 400)).toBe(true);
	}
	const kept = [JSON.stringify(roost.program.output()), ...filesBelow(roost.env.ROOST_HOME ?? '')];
	expect(findLeaks(SHAPES, kept.join('\n'))).toEqual([]);
});

/** Each makes the runner identify the calling process, which is slow. */
function sendRefused(roost: RunnerProcess, text: string) {
	return [
		roost.call('POST', '/api/v1/sessions', { agent: text, cwd: text, prompt: text }),
		roost.call('POST', `/api/v1/sessions/${encodeURIComponent(text)}/messages`, { text }),
		roost.call('POST', '/api/v1/rules', { tool: 'Bash', decision: text, scope: 'user' }),
	];
}

/** The session that reported every shape in a prompt, a call and its result. */
async function reportAll(roost: RunnerProcess): Promise<string> {
	const agent = await roost.openLaunch();
	const session_id = NATIVE;
	await agent.report({ hook_event_name: 'SessionStart', session_id, source: 'startup' });
	const reports = SHAPES.flatMap(({ text }, at) => {
		const call = { session_id, tool_name: 'Bash', tool_use_id: `t${at}`, tool_input: { command: text, description: text } };
		return [
			{ hook_event_name: 'UserPromptSubmit', session_id, prompt: `${'word '.repeat(12)}${text}` },
			{ hook_event_name: 'PreToolUse', ...call },
			{ hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: text } },
		];
	});
	for (let at = 0; at < reports.length; at += 32)
		await Promise.all(reports.slice(at, at + 32).map((report) => agent.report(report)));
	await agent.report({ hook_event_name: 'SessionEnd', session_id, reason: 'other' });
	return agent.sessionId;
}

function transcriptOf({ text }: SecretShape, at: number): object[] {
	const id = `t${at}`;
	return [
		pastPrompt(`${'word '.repeat(12)}${text}`),
		pastCall('Bash', { command: text, description: text }, { id }),
		pastResult(id, text, { own: { stdout: text, stderr: text } }),
		pastAnswer(`Done with ${text}`),
	];
}

async function findProject(roost: RunnerProcess, path: string): Promise<string | undefined> {
	const { projects } = projectList.parse(JSON.parse((await roost.call('GET', '/api/v1/projects')).body));
	return projects.find((project) => project.path === path)?.id;
}

async function readAll(roost: RunnerProcess, paths: readonly string[]): Promise<string[]> {
	const replies = await Promise.all(paths.map((path) => roost.call('GET', `/api/v1${path}`)));
	for (const [at, { status }] of replies.entries()) expect(status, paths[at]).toBe(200);
	return replies.map(({ body }) => body);
}

async function runAll(roost: RunnerProcess, commands: readonly string[][]): Promise<string[]> {
	const seen: string[] = [];
	for (const args of commands) seen.push(JSON.stringify(await roost.roost(...args)));
	return seen;
}

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
