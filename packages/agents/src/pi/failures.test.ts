// What a driven Pi reports if its program is another one, too old, broken or missing: one sentence each, and nothing waits forever.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowAll, listenTo, toPrompt } from '@roost/testkit/rigs/agents/driven-story';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { isJsonObject, stringAt } from '../base/json-object.ts';
import { describeFailures } from '../conformance/failures.contract.ts';
import { createPiAgent, type PiAgentDeps } from './pi-wire.ts';

/** A program in place of Pi: starts like Pi, then `hear` decides. */
const PRETENDER = `
const say = (record) => process.stdout.write(JSON.stringify(record) + '\\n');
const ready = (version) => say({ type: 'extension_ui_request', id: 'r', method: 'setStatus', statusKey: 'roost',
	statusText: JSON.stringify({ type: 'ready', version, cwd: process.cwd() }) });
const reply = ({ id, type }, data) => say({ id, type: 'response', command: type, success: true, data });
const state = (command) => reply(command, { sessionId: '00000000-0000-4000-8000-000000000000', isStreaming: false });
let rest = '';
process.stdin.on('data', (chunk) => {
	const lines = (rest + chunk).split('\\n');
	rest = lines.pop();
	for (const line of lines) hear(JSON.parse(line));
});
process.stdin.on('end', () => process.exit());
`;

const BEGINS = 'const hear = (command) => (command.type === "prompt" ? whenPrompted() : state(command));';

describeFailures({
	title: 'Pi',
	open: ({ env, ...deps }) => createPiAgent({ ...deps, env: () => env }),
	pretender: `${PRETENDER} ready('1.0.0'); ${BEGINS}`,
	tooOld: `${PRETENDER} ready('0.80.3'); ${BEGINS}`,
	reportsGarbage: true,
	says: {
		missing:
			/^Pi cannot be started \(spawn \/nowhere\/at-all ENOENT\): install it with "npm install -g .*", or name its program as agents\.pi\.command\.$/,
		another: /^Pi ended \(exit code 0\)\.$/,
		'too old': /^Pi 0\.80\.3 is too old for Roost, which needs 0\.87\.1 or newer: update it with/,
		crashes: /^Pi ended: cannot open the database\. \(exit code 7, /,
		garbage: /does not speak like Pi: name the program of Pi as agents\.pi\.command\.$/,
		hangs: /^Pi did not become ready\.$/,
		'ends in mid-turn': /^Pi ended: Killed by a bug\. \(exit code 7, /,
	},
});

async function openPretender(program: string, deps: Partial<PiAgentDeps> = {}) {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const path = join(temp.path, 'pi');
	await writeFile(path, program);
	const env = { HOME: temp.path, PATH: '' };
	const command = [process.execPath, path] as const;
	const agent = createPiAgent({ env: () => env, command, ...deps });
	const driven = agent.open({ cwd: temp.path, gate: 'enforce' });
	const story = listenTo(driven, allowAll);
	stack.defer(() => driven.connection.close());
	const owned = stack.move();
	return { ...story, path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function failureMessage(program: string, deps?: Partial<PiAgentDeps>): Promise<string> {
	await using pretender = await openPretender(program, deps);
	await pretender.until('SessionEnd');
	expect(pretender.reported('SessionStart')).toHaveLength(1);
	expect(pretender.runtime.getStatus()).toBe('stopped');
	return pretender
		.payloads('StopFailure')
		.map((payload) => isJsonObject(payload) && stringAt(payload, 'last_assistant_message'))
		.join();
}

describe('driven Pi that misbehaves', () => {
	it('reports the reason why Pi is unavailable', async () => {
		expect(await failureMessage('', { unavailable: 'Pi is not here.' })).toBe('Pi is not here.');
	});

	it.each([
		['exits at once', 'process.exit(3)', 'Pi ended (exit code 3).'],
		[
			'prints an error and exits',
			`process.stderr.write('No models available\\n'); process.exit(1)`,
			'Pi ended: No models available. (exit code 1',
		],
		[
			'runs on an old node',
			`process.stderr.write("SyntaxError: The requested module 'node:module' does not provide an export named 'enableCompileCache'\\n"); process.exit(1)`,
			'Pi needs Node 22.19 or newer: put a newer node first on the PATH.',
		],
		[
			'does not know an option',
			`process.stderr.write('Error: Unknown option: --no-approve\\n'); process.exit(1)`,
			'Pi is too old for Roost (Error: Unknown option: --no-approve): update it',
		],
		[
			'cannot load the gate',
			`process.stderr.write('Error: Failed to load extension "/x": boom\\nHint: Start without\\n'); process.exit(1)`,
			`Roost's gate could not be loaded into Pi, so nothing was started: Error: Failed to load extension "/x": boom`,
		],
		[
			'answers without the gate',
			`${PRETENDER} const hear = state;`,
			`Roost's gate did not answer from inside Pi, so nothing was started.`,
		],
		['reports no version', `${PRETENDER} ready(); const hear = state;`, 'is unknown, so it was not started'],
		['sends another response', `${PRETENDER} const hear = (command) => reply(command, { hello: 1 });`, 'does not speak like Pi'],
	])('ends with an explanation if it %s', async (_what, program, why) => {
		expect(await failureMessage(program)).toContain(why);
	});

	it('keeps unknown messages, reports garbage and completes the turn', async () => {
		const program = `${PRETENDER} ready('1.0.0'); const hear = (command) => { if (command.type !== 'prompt') return state(command);
			reply(command); if (command.message.startsWith('/')) return;
			process.stdout.write('what?\\n[1]\\n{"type":"something_new","x":1}\\n{"type":"tool_execution_start"}\\n');
			say({ type: 'response', command: 'unheard', success: false, error: 'x' });
			for (let count = 0; count < 50; count++) process.stdout.write('noise\\n');
			say({ type: 'agent_settled' }); };`;
		await using odd = await openPretender(program);
		expect((await odd.ask('go')).hookName).toBe('Stop');
		expect(odd.payloads('something_new')).toMatchObject([{ x: 1 }]);
		expect(odd.reported('tool_execution_start')).toHaveLength(1);
		expect(odd.payloads('RuntimeError')).toHaveLength(8);
		expect(odd.payloads('RuntimeError')[0]).toMatchObject({ code: 'agent_output', detail: 'what?' });
	});

	it('fails the turn if it rejects the prompt in a response without an id', async () => {
		const program = `${PRETENDER} ready('1.0.0'); const hear = (command) => { if (command.type !== 'prompt') return state(command);
			say({ type: 'response', command: 'prompt', success: false, error: 'No API key found for groq.' }); };`;
		await using unwilling = await openPretender(program);
		expect((await unwilling.ask('go')).payload).toMatchObject({
			error: 'not_taken',
			last_assistant_message: expect.stringMatching(
				/^Pi rejected the prompt: No API key found for groq\. To pass it, add "agents: \{pi: \{env: \{GROQ_API_KEY: <value>\}\}\}"/,
			),
		});
	});

	it('ends the session if it runs a tool without asking', async () => {
		const program = `${PRETENDER} ready('1.0.0'); const hear = (command) => { if (command.type !== 'prompt') return state(command);
			reply(command); if (command.message.startsWith('/')) return;
			say({ type: 'tool_execution_start', toolCallId: 't', toolName: 'bash', args: {} });
			say({ type: 'tool_execution_end', toolCallId: 't', toolName: 'bash', result: { content: [] }, isError: false }); };`;
		await using breaching = await openPretender(program);
		await breaching.connection.sendPrompt(toPrompt('go'));
		await breaching.until('SessionEnd');
		expect(breaching.payloads('StopFailure')).toMatchObject([
			{ last_assistant_message: expect.stringContaining('Pi ran bash without asking') },
		]);
	});

	it('ends the session if it ignores the stop request', async () => {
		const timers = createManualTimers();
		const program = `${PRETENDER} ready('1.0.0'); const hear = (command) => { if (command.type === 'get_state') state(command); if (command.type === 'prompt') reply(command); };`;
		await using stubborn = await openPretender(program, { timers, now: timers.now });
		await stubborn.connection.sendPrompt(toPrompt('go'));
		await stubborn.until('UserPromptSubmit');
		const before = timers.waiting();
		const aborted = stubborn.connection.abort();
		await waitFor(() => (timers.waiting() > before ? true : undefined), { what: 'it to be stopped' });
		timers.advance(10_000);
		await stubborn.until('SessionEnd');
		expect(stubborn.payloads('StopFailure')).toMatchObject([
			{ last_assistant_message: 'Pi did not stop when it was interrupted.' },
		]);
		timers.advance(60_000);
		await aborted;
	});
});
