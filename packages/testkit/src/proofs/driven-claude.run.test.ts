// `roost run` with the real Claude, as a script or CI job uses it: the response on stdout, the outcome as the exit code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sessionId } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import { expect, it } from 'vitest';
import { apiError, callTool, message, say } from '../fakes/model-reply.ts';
import { spokenWords } from '../fakes/model-request.ts';
import type { Script } from '../fakes/script.ts';
import { type DrivenClaude, openDrivenClaude } from '../rigs/agents/driven-claude.ts';
import { longDiff } from '../rigs/long-diff.ts';
import { type Exit, startProgram } from '../rigs/program.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { unwrap, unwrapError } from '../rigs/unwrap.ts';

it('prints the answer or the feed as JSON lines, and exits with a code for each outcome', async () => {
	await using rig = await openDrivenClaude({
		script: ({ lastUserText, toolResults }) => {
			if (lastUserText === 'fail') return apiError(400, 'invalid_request_error', 'I will not');
			if (lastUserText === 'hello') return message([say('Hello, ', 'you.')]);
			if (toolResults.length > 0) return message([say('I leave it.')]);
			return message([callTool('Bash', { command: 'touch made', description: 'make a file' })]);
		},
	});
	const [plain, lines, denied, refused, failed] = await Promise.all([
		roost(rig, 'run', 'hello'),
		roost(rig, 'run', '--json', 'hello'),
		roost(rig, 'run', '--on-ask', 'deny', 'make it'),
		roost(rig, 'run', '--on-ask', 'fail', 'make it'),
		roost(rig, 'run', 'fail'),
	]);
	expect(plain).toMatchObject({ code: 0, stdout: 'Hello, you.\n' });
	const events = lines.stdout
		.split('\n')
		.filter(Boolean)
		.map((line) => storedLine.parse(JSON.parse(line)).event);
	expect(lines.code).toBe(0);
	expect(events.map(({ kind }) => kind)).toEqual(
		expect.arrayContaining(['session.start', 'user.prompt', 'agent.message', 'run.end']),
	);
	expect(denied).toMatchObject({ code: 0, stdout: 'I leave it.\n' });
	expect(refused.code).toBe(5);
	expect(failed).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('I will not') });
	expect(existsSync(join(rig.claude.project, 'made'))).toBe(false);
}, 60_000);

/** Reads a file as often as the prompt says, one call at a time. */
const readOften: Script = ({ firstUserText, messages }) => {
	const made = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result').length;
	const wanted = Number(/read it (\d+) times/.exec(firstUserText)?.[1] ?? 0);
	return message(made < wanted ? [callTool('Read', { file_path: 'README.md' })] : [say(`Read it ${made} times.`)]);
};

it('has no turn limit by default, and exits with code 7 at a given limit', async () => {
	await using rig = await openDrivenClaude({ script: readOften });
	const [unlimited, enough, limited] = await Promise.all([
		roost(rig, 'run', 'read it 12 times'),
		roost(rig, 'run', '--max-turns', '3', 'read it 2 times'),
		roost(rig, 'run', '--json', '--max-turns', '3', 'read it 12 times'),
	]);
	expect(unlimited).toMatchObject({ code: 0, stdout: 'Read it 12 times.\n' });
	expect(enough).toMatchObject({ code: 0, stdout: 'Read it 2 times.\n' });
	expect(limited).toMatchObject({ code: 7 });
	const { error } = JSON.parse(limited.stderr);
	expect(error).toMatchObject({ code: 'turn_limit', message: expect.stringMatching(/^Reached the limit of 3 turns per prompt/) });
	const [id] = /(?<=roost run --resume )\w+/.exec(error.message) ?? [''];
	// The limit belongs to the session and applies to each prompt.
	expect(await roost(rig, 'run', '--resume', id, 'go on')).toMatchObject({ code: 7 });
}, 60_000);

it('applies sdk.maxTurns as the turn limit unless --max-turns overrides it', async () => {
	await using rig = await openDrivenClaude({ script: readOften, config: { sdk: { maxTurns: 2 } } });
	const [configured, flag] = await Promise.all([
		roost(rig, 'run', 'read it 2 times'),
		roost(rig, 'run', '--max-turns', '5', 'read it 2 times'),
	]);
	expect(configured).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('the limit of 2 turns') });
	expect(flag).toMatchObject({ code: 0, stdout: 'Read it 2 times.\n' });
}, 60_000);

it('accepts manual as the name of the default mode, and rejects an unknown model', async () => {
	await using rig = await openDrivenClaude({ script: () => message([say('Hello.')]) });
	const [manual, mistyped, alias, full] = await Promise.all([
		roost(rig, 'run', '--permission-mode', 'manual', 'hello'),
		roost(rig, 'run', '--model', 'sonett', 'hello'),
		roost(rig, 'run', '--model', 'sonnet', 'hello'),
		roost(rig, 'run', '--model', 'claude-opus-4-1', 'hello'),
	]);
	expect([manual, alias, full].map(({ code, stdout }) => [code, stdout])).toEqual(Array(3).fill([0, 'Hello.\n']));
	expect(mistyped).toMatchObject({ code: 3, stdout: '' });
	expect(mistyped.stderr).toMatch(/claude has no model "sonett"\. Choose one of default, opus, .*sonnet/);
	const drives =
		(await rig.api.record.sessions()).ok && unwrap(await rig.api.record.sessions()).map(({ drive }) => drive?.permission_mode);
	expect(drives).toContain('default');
}, 60_000);

it('lists the models of its agent, and rejects a change to an unknown one', async () => {
	await using rig = await openDrivenClaude({ script: () => message([say('Hello.')]) });
	const session = await rig.start({ prompt: 'hello' });
	await session.until('run.end');
	expect(unwrap(await rig.api.settings.models({ id: session.id }))).toEqual(expect.arrayContaining(['opus', 'sonnet', 'haiku']));
	const refused = unwrapError(await rig.api.settings.change({ commandId: 'c1', id: session.id, model: 'sonett' }));
	expect(refused.message).toContain('claude has no model "sonett"');
	unwrap(await rig.api.settings.change({ commandId: 'c2', id: session.id, model: 'sonnet', permissionMode: 'manual' }));
	expect((await session.row()).drive).toMatchObject({ model: 'sonnet', permission_mode: 'default' });
}, 60_000);

it('starts the agent of runtime.default if none is named', async () => {
	const script: Script = () => message([say('Hello.')]);
	await using usual = await openDrivenClaude({ script });
	const { agent: _claude, ...body } = await usual.describe();
	const { sessionId: id } = unwrap(await usual.api.sessions.create({ commandId: 'c1', ...body }));
	expect(unwrap(await usual.api.record.session({ id }))).toMatchObject({ agent: 'claude' });
	await using other = await openDrivenClaude({ script, config: { runtime: { default: 'nobody' } } });
	const { projectId } = await other.describe();
	expect(unwrapError(await other.api.sessions.create({ commandId: 'c1', projectId })).message).toContain('cannot drive "nobody"');
}, 60_000);

it('passes a piped prompt of 1 MiB to the model, and records it, unchanged', async () => {
	await using rig = await openDrivenClaude({ script: () => message([say('Reviewed.')]) });
	const prompt = longDiff();
	await using program = await startProgram(roostArgv('run'), { cwd: rig.claude.project, env: rig.env, input: prompt });
	expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stdout: 'Reviewed.\n' });
	expect(rig.claude.requests.flatMap(spokenWords).some((words) => words.includes(prompt))).toBe(true);
	const [session] = unwrap(await rig.api.record.sessions());
	const events = unwrap(await rig.api.feed.events({ id: sessionId.parse(session?.id) }));
	const recorded = events.flatMap(({ event }) => (event.kind === 'user.prompt' ? [event.data.prompt] : []));
	expect(recorded).toEqual([prompt]);
}, 60_000);

async function roost({ claude, env }: DrivenClaude, ...args: string[]): Promise<Exit> {
	await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
	return await program.waitForExit(60_000);
}
