// Processes of an agent that try to decide for its user: by command line, over HTTP and over the stream.
import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../rigs/program.ts';
import { roostArgv } from '../rigs/runner/roost-cli.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

const MARKS = ['ROOST_SESSION', 'ROOST_HOOK_SECRET', 'ROOST_HOOK_SOCKET', 'ROOST_HOOK_GATE'];
const UNMARKED = `env ${MARKS.map((name) => `-u ${name}`).join(' ')}`;
const ROOST = roostArgv().join(' ');

/** By name: a shell line that an agent runs. `$ADD` adds an allow rule with the token from the disk, and records the status. */
const REFUSED = {
	plainly: '$ADD 1',
	'without its session': 'env -u ROOST_SESSION $ADD 2',
	'without any mark': `${UNMARKED} $ADD 3`,
	'with an empty environment': 'env -i $ADD 4',
	'in the background': 'nohup $ADD 5 >/dev/null 2>&1 &',
	'by a child that outlives its parent': '(env -u ROOST_SESSION $ADD 6 &)',
	'in a session of its own': 'setsid sh -c "($ADD 7 &)"',
	'without its session, in a session of its own': 'env -u ROOST_SESSION setsid sh -c "($ADD 8 &)"',
	'by an orphan with an empty environment, beside the agent’s shell': 'sh -c "(env -i $ADD 9 &)"',
	'over the stream': '$STREAM 10',
	'by the command line': `${ROOST} rules add allow Bash --scope user >&2; echo 403 > out-11`,
	'by the command line, without its session and orphaned': `(env -u ROOST_SESSION sh -c '${ROOST} rules add allow Bash --scope user; echo 403 > out-12' &)`,
} as const;

describe('process of an agent', () => {
	it('cannot decide however it hides, and each attempt is recorded in its session', { timeout: 120_000 }, async () => {
		await using world = await startWorld();
		const last = 'until [ -e last ]; do sleep 0.05; done; env -i setsid sh -c "($GONE gone &)"';
		await using agent = await world.startAgent([...Object.values(REFUSED), last].join('\n'));
		const outcomes = await world.outcomes(Object.keys(REFUSED).length);
		expect(Object.fromEntries(Object.keys(REFUSED).map((name, at) => [name, outcomes[at]]))).toEqual(
			Object.fromEntries(Object.keys(REFUSED).map((name) => [name, '403'])),
		);
		// The last one has no recognisable mark, and it exits before the runner can examine it.
		await world.whileStopped(async () => {
			await world.put('last', '');
			const pid = Number(await waitFor(() => world.outcome('gone'), { what: 'the process that exits' }));
			await waitFor(() => !existsSync(`/proc/${pid}`) || undefined, { what: 'its end' });
		});
		// Sent after all attempts, so they are judged by then.
		expect(await world.addOwnRule()).toBe(201);
		expect(await world.rules()).toMatchObject([{ decision: 'deny' }]);
		const attempts = await world.attempts(agent.session);
		expect(attempts).toHaveLength(Object.keys(REFUSED).length);
		for (const operation of ['POST /api/v1/rules', 'WebSocket asks.approve', 'roost rules add'])
			expect(attempts.join()).toContain(operation);
	});

	it('counts as the user when nothing links it to the agent, so only a sandbox stops it', { timeout: 60_000 }, async () => {
		await using world = await startWorld();
		// The second one is the user's own, in the terminal that the agent was started from.
		await using agent = await world.startAgent('env -i setsid sh -c "($ADD 1 &)"', { beside: '$ADD 2' });
		expect(await world.outcomes(2)).toEqual(['201', '201']);
		expect(await world.attempts(agent.session)).toEqual([]);
	});
});

/** A runner, and clients that use its token as any process of the user can. */
async function startWorld() {
	await using stack = new AsyncDisposableStack();
	const roost = stack.use(await startRunnerProcess());
	const { folder, env } = roost;
	const url = `http://127.0.0.1:${roost.port}/api/v1`;
	const put = (name: string, text: string) => writeFile(join(folder, name), text);
	for (const [name, client] of Object.entries(CLIENTS)) await put(`${name}.mjs`, `const url = '${url}';\n${COMMON}\n${client}`);
	const clients = Object.keys(CLIENTS).map((name) => `${name}="${process.execPath} ${folder}/${name}.mjs"`);
	const owned = stack.move();
	return {
		/** A terminal, the command in it that waits for an agent, and the agent: a shell in a session of its own, as agents run commands. */
		async startAgent(line: string, { beside = 'true' } = {}) {
			await put(
				'terminal.sh',
				'bash waiter.sh & echo $! > part; mv part waiter.pid; until [ -e beside.sh ]; do sleep 0.05; done; bash beside.sh; wait',
			);
			await put('waiter.sh', 'until [ -e agent.sh ]; do sleep 0.05; done; env $(cat marks) setsid --wait bash agent.sh');
			const terminal = await startProgram(['bash', 'terminal.sh'], { cwd: folder, env });
			const pid = Number(await waitFor(() => read(folder, 'waiter.pid'), { what: 'the waiter' }));
			const launch = await roost.openLaunch({ pid });
			await launch.report({ hook_event_name: 'SessionStart', session_id: 'n1', source: 'startup' });
			const { secret, socketPath } = launch.hooks;
			await put(
				'marks',
				`ROOST_SESSION=${launch.sessionId} ROOST_HOOK_SECRET=${secret} ROOST_HOOK_SOCKET=${socketPath} ROOST_HOOK_GATE=observe`,
			);
			const head = `cd '${folder}'; ${clients.join('; ')}`;
			await put('agent.part', `${head}\necho $$ > agent.pid\n${line}\nexec sleep 1000\n`);
			await rename(join(folder, 'agent.part'), join(folder, 'agent.sh'));
			const agent = Number(await waitFor(() => read(folder, 'agent.pid'), { what: 'the agent' }));
			await put('beside.part', `${head}\n${beside}\n`);
			await rename(join(folder, 'beside.part'), join(folder, 'beside.sh'));
			return {
				session: launch.sessionId,
				async [Symbol.asyncDispose]() {
					process.kill(-agent, 'SIGKILL');
					await terminal.kill();
				},
			};
		},
		put,
		async whileStopped(act: () => Promise<void>) {
			roost.program.signal('SIGSTOP');
			await act();
			roost.program.signal('SIGCONT');
		},
		outcome: (name: string) => read(folder, `out-${name}`),
		async outcomes(count: number) {
			const names = Array.from({ length: count }, (_, at) => `out-${at + 1}`);
			const missing = () => names.filter((name) => read(folder, name) === undefined);
			await waitFor(() => (missing().length === 0 ? true : undefined), { what: 'every outcome', seen: missing });
			return names.map((name) => read(folder, name));
		},
		async addOwnRule() {
			return (await roost.call('POST', '/api/v1/rules', { tool: 'Bash', decision: 'deny', scope: 'user' })).status;
		},
		rules: async (): Promise<unknown> => JSON.parse((await roost.call('GET', '/api/v1/rules')).body),
		async attempts(session: string) {
			const { body } = await roost.call('GET', `/api/v1/sessions/${session}/events`);
			return body.split('"event_id"').filter((text) => text.includes('self_approval'));
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Undefined while it is incomplete. */
function read(folder: string, name: string): string | undefined {
	try {
		return readFileSync(join(folder, name), 'utf8').trim() || undefined;
	} catch {
		// Not written yet.
		return undefined;
	}
}

/** They read the token from the disk, as any process of the user can. */
const COMMON = `
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
const authorization = 'Bearer ' + readFileSync(import.meta.dirname + '/roost/token', 'utf8').trim();
const body = JSON.stringify({ tool: 'Bash', decision: 'allow', scope: 'user' });
const tell = (outcome) => writeFileSync(import.meta.dirname + '/out-' + process.argv[2], String(outcome));
`;

const CLIENTS = {
	ADD: `
const headers = { authorization, 'content-type': 'application/json', 'x-roost-face': 'tui' };
tell((await fetch(url + '/rules', { method: 'POST', headers, body })).status);`,
	STREAM: `
const socket = new WebSocket(url.replace('http', 'ws') + '/stream', { headers: { authorization } });
socket.onopen = () => socket.send(JSON.stringify({ type: 'call', operation: 'asks.approve', id: 'c1', input: { id: 's1', askId: 'x.1', nonce: 'n', decision: 'allow' } }));
socket.onmessage = ({ data }) => {
	const frame = JSON.parse(data);
	if (frame.type !== 'result') return;
	tell(frame.error.code === 'denied' ? 403 : frame.error.code);
	socket.close();
};`,
	GONE: `
const { port, pathname } = new URL(url + '/rules');
const socket = connect(Number(port), '127.0.0.1', () => {
	const lines = ['POST ' + pathname + ' HTTP/1.1', 'host: 127.0.0.1:' + port, 'authorization: ' + authorization,
		'content-type: application/json', 'content-length: ' + body.length, '', body];
	socket.write(lines.join('\\r\\n'), () => {
		tell(process.pid);
		process.exit();
	});
});`,
};
